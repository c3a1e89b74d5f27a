import { expect, test } from '@jest/globals';
import { downParts, factsOf, faultyThings, podsOf } from './facts-of.js';
import { faultManifest, targetOf, typesFor } from './fault-manifest.js';
import type { FaultType } from '../model/operations.generated.js';
import { selects } from '../model/policies.js';
import type { Facts, Row } from '../model/row.js';
import { Story } from '../model/story.js';
import { toneOf } from '../model/tone.js';
import { World } from '../model/world.js';

const row = (kind: string, name: string, is: Facts, more: Partial<Row> = {}): Row => ({
  ...{ kind, name, uid: name, revision: 1, created: 0, is },
  ...more,
});
const world = new World();
const owner = { kind: 'ReplicaSet', name: 'rs', uid: 'rs' };
world.apply({
  ...{ begins: true, left: 0, revision: 1, at: 0, labels: [{ app: 'web' }] },
  rows: [
    row('Node', 'n1', { status: 'Ready', cpu: 4_000, memory: 8 * 1024 ** 3, pods: 110 }),
    row('ReplicaSet', 'rs', { want: 1 }, { namespace: 'shop', owner: { kind: 'Deployment', name: 'd', uid: 'd' } }),
    row('Deployment', 'd', { want: 1 }, { namespace: 'shop' }),
    row(
      'Pod',
      'p',
      { status: 'Running', node: 'n1', ready: 1, total: 1, cpu: 250 },
      { namespace: 'shop', labels: 0, owner },
    ),
    row('NetworkPolicy', 'deny', { selector: { matchLabels: { app: 'web' } } }, { namespace: 'shop' }),
    row('Fault', 'f', { type: 'SchedulerDown', status: 'Active', targets: ['node/n1', 'pod/shop/p', 'pod/shop/none'] }),
    row('Component', 'kube-proxy', {}),
  ],
});
const pod = world.find('Pod', 'shop', 'p')!;

test('facts of a pod lead to its node, what made it, and the policies in force', () => {
  expect(factsOf(world, pod)).toEqual([
    { key: 'status', text: 'Running' },
    { key: 'ready', text: '1/1' },
    { key: 'node', text: 'n1', to: 'n1' },
    { key: 'owner', text: 'ReplicaSet rs', to: 'rs' },
    { key: 'requests', text: 'cpu 250m, memory 0' },
    { key: 'policies', text: 'deny', to: 'deny' },
  ]);
});

test.each(['n1', 'd', 'rs', 'p'])('the pods of %s', (uid) => expect(podsOf(world, world.get(uid)!)).toEqual([pod]));

test('what active faults act on, and what is down', () => {
  expect([...faultyThings(world)].sort()).toEqual(['n1', 'p']);
  expect([...downParts(world)].sort()).toEqual(['kube-proxy', 'kube-scheduler']);
});

test.each<[object, boolean]>([
  [{}, true],
  [{ matchLabels: { app: 'db' } }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
  [{ matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['y'] }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
])('selector %j', (selector, is) => expect(selects(selector, { app: 'web' })).toBe(is));

test.each<[Facts, boolean, string]>([
  [{ status: 'Running', ready: 1, total: 1, node: 'n' }, false, 'ready'],
  [{ status: 'Running', ready: 0, total: 1, node: 'n' }, false, 'unready'],
  [{ status: 'Pending' }, false, 'waiting'],
  [{ status: 'ContainerCreating', node: 'n' }, false, 'starting'],
  [{ status: 'Init:0/1', node: 'n' }, false, 'starting'],
  [{ status: 'CrashLoopBackOff', node: 'n' }, false, 'failing'],
  [{ status: 'Completed', phase: 'Succeeded' }, false, 'done'],
  [{ status: 'Running', ready: 1, total: 1 }, true, 'ending'],
])('%j looks %s', (is, isEnding, tone) => expect(toneOf({ is, isEnding })).toBe(tone));

const type = (name: string, selects: FaultType['selects'], more: Partial<FaultType> = {}): FaultType => ({
  ...{ name, about: '', symptoms: '', selects, lists: [], needs: [], parameters: [] },
  ...more,
});
const PARAMETER = { about: '', default: null, of: null, min: null, max: null };
const LOSS = type('PacketLoss', 'pods', {
  parameters: [
    { ...PARAMETER, name: 'percent', type: 'percent' },
    { ...PARAMETER, name: 'repeats', type: 'boolean' },
  ],
});

test('types are those for what was pointed at', () => {
  const types = [type('NodeDown', 'nodes'), LOSS, type('SchedulerDown', 'cluster')];
  const names = (kind?: string): string[] => typesFor(types, kind ? { kind } : undefined).map(({ name }) => name);
  expect([names('Node'), names('Pod'), names()]).toEqual([['NodeDown'], ['PacketLoss'], ['SchedulerDown']]);
});

test('a fault is written for what was pointed at', () => {
  const target = targetOf(LOSS, pod, [pod]);
  const given = { percent: '30', repeats: 'false', other: 'x' };
  expect(faultManifest({ type: LOSS, target, duration: ' 5m ', given, suffix: 'a' })).toEqual({
    ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'Fault', metadata: { name: 'packetloss-a' } },
    spec: {
      type: 'PacketLoss',
      target: { pods: ['shop/p'] },
      duration: '5m',
      parameters: { percent: 30, repeats: false },
    },
  });
  expect(targetOf(LOSS, world.get('d'), [pod])).toEqual({ pods: ['shop/p'] });
  expect(targetOf(type('NodeDown', 'nodes'), world.get('n1'), [])).toEqual({ nodes: ['n1'] });
  expect(targetOf(LOSS, undefined, [])).toEqual({});
});

test('a story tells the last few acts, newest first', () => {
  const story = new Story();
  const before = { status: 'Pending' };
  story.tell([
    { thing: pod, type: 'made', actor: 'system:serviceaccount:kube-system:replicaset-controller', before: undefined },
    { thing: pod, type: 'changed', actor: 'system:kube-scheduler', before },
    { thing: pod, type: 'changed', actor: 'system:node:n1', before: { ...before, node: 'n1' } },
    { thing: pod, type: 'changed', actor: 'system:node:n1', before: pod.is },
  ]);
  expect(story.lines.map(({ actor, verb, detail }) => [actor, verb, detail])).toEqual([
    ['kubelet', 'status', 'Running'],
    ['kube-scheduler', 'placed', 'n1'],
    ['replicaset-controller', 'made', ''],
  ]);
});
