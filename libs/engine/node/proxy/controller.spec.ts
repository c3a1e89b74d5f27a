import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { Components, Nodes, Pods, ProxyRuntimes, ProxySnapshots, Services } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import type { Context, Result } from '../../runtime/controller.js';
import type { State } from '../../runtime/state/state.js';
import { clientOf, stateOf } from '../cri/testing.js';
import { node, NOW, pod, running, STAMP, terminated, waiting } from '../kubelet/testing.js';
import { proxy } from './controller.js';
import { StaleTables } from './snapshot.js';
import { service, slice } from './testing.js';

const nodeCalled = (name: string): KubeObject => node({}, { metadata: { name, creationTimestamp: STAMP } });
const proxyOn = (nodeName: string, status: Pod['status'], metadata: Pod['metadata'] = {}): Pod =>
  pod({ nodeName }, status, {
    ...{ name: `kube-proxy-${nodeName}`, namespace: 'kube-system', uid: nodeName, labels: { 'k8s-app': 'kube-proxy' } },
    ...metadata,
  });
const UP = { containerStatuses: [running('kube-proxy')] };
const ENDED = { containerStatuses: [terminated('kube-proxy', 1)] };
const CRASHED = { containerStatuses: [waiting('kube-proxy', 'CrashLoopBackOff', { restartCount: 1 })] };
const STARTING = { containerStatuses: [waiting('kube-proxy')] };
const component = (enabled: boolean): KubeObject =>
  ({
    ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'Component', metadata: { name: 'kube-proxy' } },
    ...{ spec: { enabled }, status: {} },
  }) as KubeObject;
const runtime = (name: string, snapshot?: string): KubeObject =>
  ({
    ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'ProxyRuntime', metadata: { name } },
    ...(snapshot !== undefined && { snapshot }),
  }) as KubeObject;

const sync = (state: State, name = 'worker-1', now: Millis = NOW): Result | void =>
  proxy.reconcile({ client: clientOf(state), now } as Context, { namespace: '', name }, undefined);
const held = (state: State): (string | undefined)[] =>
  state
    .list(ProxyRuntimes)
    .map(({ metadata, snapshot }) => `${metadata.name} ${snapshot === undefined ? 'knows nothing' : 'keeps'}`);

const WORKER = nodeCalled('worker-1');
const LATER = NOW + 31 * SECOND;

test.each<[string, readonly KubeObject[], Millis, readonly string[]]>([
  ['a proxy that runs', [WORKER, proxyOn('worker-1', UP)], NOW, []],
  ['one that runs again', [WORKER, proxyOn('worker-1', UP), runtime('worker-1')], NOW, []],
  ['one that is switched on', [WORKER, proxyOn('worker-1', UP), component(true)], NOW, []],
  ['one that has not begun', [WORKER, proxyOn('worker-1', STARTING)], LATER, []],
  ['one without a status', [WORKER, proxyOn('worker-1', {})], LATER, []],
  ['one that has ended', [WORKER, proxyOn('worker-1', ENDED)], NOW, ['worker-1 keeps']],
  ['one that crashes', [WORKER, proxyOn('worker-1', CRASHED)], NOW, ['worker-1 keeps']],
  ['one that is switched off', [WORKER, proxyOn('worker-1', UP), component(false)], NOW, ['worker-1 keeps']],
  ['one that is deleted', [WORKER, proxyOn('worker-1', UP, { deletionTimestamp: STAMP })], NOW, ['worker-1 keeps']],
  ['one that was stopped before', [WORKER, runtime('worker-1')], LATER, ['worker-1 knows nothing']],
  ['none, on a new node', [WORKER], NOW, []],
  ['none, on a node that is old', [WORKER], LATER, ['worker-1 knows nothing']],
  ['that of another node', [WORKER, proxyOn('worker-2', UP)], LATER, ['worker-1 knows nothing']],
  [
    'a pod of that label elsewhere',
    [WORKER, proxyOn('worker-1', UP, { namespace: 'shop' })],
    LATER,
    ['worker-1 knows nothing'],
  ],
  ['a node that is gone', [runtime('worker-1')], NOW, []],
])('%s', (_case, objects, now, expected) => {
  const state = stateOf(...objects);
  sync(state, 'worker-1', now);
  expect(held(state)).toEqual(expected);
});

test('a new node is looked at again when a proxy should be there', () => {
  expect(sync(stateOf(WORKER), 'worker-1', NOW + 10 * SECOND)).toEqual({ requeueAfter: 20 * SECOND });
});

describe('what is kept', () => {
  const two = (): State =>
    stateOf(
      ...['worker-1', 'worker-2'].flatMap((name) => [nodeCalled(name), proxyOn(name, ENDED)]),
      ...[service('shop/web', { clusterIP: '10.96.0.7' }), service('shop/db', { clusterIP: 'None' })],
      slice('shop/web', ['10.244.1.2']),
    );
  const restart = (state: State, name: string): void => {
    state.put(state.resourceOf(Pods), proxyOn(name, UP), 'test', 0);
    sync(state, name);
  };

  test('is stored once, for all nodes', () => {
    const state = two();
    for (const name of ['worker-1', 'worker-2', 'worker-1']) sync(state, name);
    expect(held(state)).toEqual(['worker-1 keeps', 'worker-2 keeps']);
    expect(state.list(ProxySnapshots)).toHaveLength(1);
  });

  test('is what was known then', () => {
    const state = two();
    sync(state);
    state.put(state.resourceOf(Services), service('shop/late', { clusterIP: '10.96.0.8' }), 'test', 0);
    const [first] = state.list(ProxyRuntimes);
    const table = new StaleTables(state).find(first?.snapshot);
    expect(table?.keys()).toEqual(['shop/web']);
    expect(table?.slicesOf('shop/web').map(({ endpoints }) => endpoints?.[0]?.addresses)).toEqual([['10.244.1.2']]);
  });

  test('goes with the last proxy that comes back', () => {
    const state = two();
    for (const name of ['worker-1', 'worker-2']) sync(state, name);
    restart(state, 'worker-1');
    expect([held(state), state.list(ProxySnapshots).length]).toEqual([['worker-2 keeps'], 1]);
    restart(state, 'worker-2');
    expect([held(state), state.list(ProxySnapshots).length]).toEqual([[], 0]);
  });
});

test.each<[string, KubeObject, readonly string[]]>([
  ['a node', WORKER, ['worker-1']],
  ['a proxy', proxyOn('worker-2', UP), ['worker-2']],
  ['a proxy that is not bound yet', proxyOn('', {}), []],
  ['another pod', pod(), []],
  ['the Component', component(false), ['worker-1', 'worker-2']],
  ['another Component', { ...component(false), metadata: { name: 'kubelet' } }, []],
])('%s wakes it', (_case, object, expected) => {
  const state = stateOf(nodeCalled('worker-1'), nodeCalled('worker-2'));
  const kind = [Nodes, Pods, Components].find((one) => one.kind === object.kind);
  const source = proxy.sources.find((one) => one.kind === kind);
  const isOfInterest = source?.when?.(object, undefined) ?? true;
  const keys = source?.keys?.(object, state, undefined) ?? [{ namespace: '', name: object.metadata.name }];
  expect(isOfInterest ? [...keys].map(({ name }) => name) : []).toEqual(expected);
});
