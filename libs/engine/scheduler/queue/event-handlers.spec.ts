import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { State } from '../../runtime/state/state.js';
import {
  hasBecomeAvailable,
  isAssignedPodChange,
  isRoomChange,
  isSchedulingChange,
  podsForFreedRoom,
  podsWaitingForOtherPods,
  podsWaitingForRoom,
  podsWaitingForVolumes,
  WAITING_PODS,
  waitingFor,
} from './event-handlers.js';
import { makeNode, makePod } from '../testing.js';

const unschedulable = (pod: Pod): Pod => ({
  ...pod,
  status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
});
const CLAIMING = makePod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] });
const FULL = unschedulable(makePod());
const AFFINE = unschedulable(makePod({ affinity: {} }));

test.each<[string, Pod, string[]]>([
  ['that was not tried', makePod(), []],
  ['that fits no node', FULL, ['yes']],
  ['with an affinity', AFFINE, ['yes', 'affine']],
  ['with spread constraints', unschedulable(makePod({ topologySpreadConstraints: [] })), ['yes', 'affine']],
  ['with a claim', CLAIMING, ['yes', 'affine', 'claiming']],
  ['that is assigned', makePod({}, {}, 'a'), []],
])('a pod %s', (_, pod, values) => expect(waitingFor(pod)).toEqual(values));

function readerOf(...pods: Pod[]): Reader {
  const state = new State();
  const resource = state.resourceOf(Pods);
  state.addIndex(resource, WAITING_PODS, (object) => waitingFor(object as Pod));
  for (const pod of pods) state.load(resource, pod);
  return state;
}
const names = (keys: Iterable<{ name: string }>): string[] => [...keys].map(({ name }) => name);
/** In the order of their keys. */
const namesOf = (...pods: Pod[]): string[] => pods.map(({ metadata }) => metadata.name!).sort();

test('pods wait for different events', () => {
  const reader = readerOf(makePod(), FULL, AFFINE, CLAIMING);
  expect(names(podsWaitingForRoom(reader))).toEqual(namesOf(FULL, AFFINE, CLAIMING));
  expect(names(podsWaitingForOtherPods(reader))).toEqual(namesOf(AFFINE, CLAIMING));
  expect(names(podsWaitingForVolumes(reader))).toEqual(namesOf(CLAIMING));
});

describe('room is free', () => {
  const running = makePod({}, {}, 'a');
  const ended: Pod = { ...running, status: { phase: 'Failed' } };
  const nominated: Pod = { ...makePod(), status: { nominatedNodeName: 'a' } };
  const bound: Pod = { ...nominated, spec: { ...nominated.spec, nodeName: 'a' }, status: {} };
  const elsewhere: Pod = { ...bound, spec: { ...bound.spec, nodeName: 'b' } };
  test.each<[string, Pod, Pod | undefined, Pod[], boolean]>([
    ['when a pod has ended', ended, running, [ended], true],
    ['when a pod is deleted', running, running, [], true],
    ['not when a pod goes on', running, running, [running], false],
    ['when a nominated pod is deleted', nominated, nominated, [], true],
    ['when it is bound to another node', elsewhere, nominated, [elsewhere], true],
    ['not when it is bound to its own', bound, nominated, [bound], false],
    ['not while it waits', nominated, nominated, [nominated], false],
    ['not when an ended pod changes', ended, ended, [ended], false],
    ['not when a pod comes', running, undefined, [running], false],
    ['not when a pending pod is deleted', makePod(), makePod(), [], false],
  ])('%s', (_, pod, old, stored, free) =>
    expect(names(podsForFreedRoom(pod, readerOf(FULL, ...stored), old))).toEqual(free ? namesOf(FULL) : []),
  );
});

test.each<[string, (pod: Pod) => Pod, boolean]>([
  ['its spec', (pod) => ({ ...pod, spec: { ...pod.spec } }), true],
  ['its labels', (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } }), true],
  ['its nomination', (pod) => ({ ...pod, status: { nominatedNodeName: 'a' } }), true],
  ['its conditions', (pod) => unschedulable(pod), false],
  ['its node', (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'a' } }), false],
])('a pending pod is scheduled again when %s changes: %s', (_, change, expected) => {
  const pod = makePod();
  expect([isSchedulingChange(pod, undefined), isSchedulingChange(change(pod), pod)]).toEqual([true, expected]);
});

test.each<[string, (node: Node) => Node, boolean]>([
  ['its taints change', (node) => ({ ...node, spec: { taints: [] } }), true],
  ['its labels change', (node) => ({ ...node, metadata: { ...node.metadata, labels: {} } }), true],
  ['its allocatable changes', (node) => ({ ...node, status: { ...node.status, allocatable: {} } }), true],
  ['its heartbeat changes', (node) => ({ ...node, status: { ...node.status, conditions: [] } }), false],
])('a node may have room when %s: %s', (_, change, expected) => {
  const node = makeNode('a');
  expect([isRoomChange(node, undefined), isRoomChange(change(node), node)]).toEqual([true, expected]);
});

test.each<[string, Pod, Pod | undefined, boolean]>([
  ['is assigned', makePod({}, {}, 'a'), makePod(), true],
  ['comes assigned', makePod({}, {}, 'a'), undefined, true],
  ['changes its labels', makePod({}, { a: 'b' }, 'a'), makePod({}, {}, 'a'), true],
  ['changes its labels before that', makePod({}, { a: 'b' }), makePod(), false],
])('a pod that %s concerns affinities: %s', (_, pod, old, expected) =>
  expect(isAssignedPodChange(pod, old)).toBe(expected),
);

test.each([
  [undefined, 'Available', true],
  ['Released', 'Available', true],
  ['Available', 'Available', false],
  ['Available', 'Bound', false],
])('a volume from %s to %s', (before, after, expected) =>
  expect(
    hasBecomeAvailable(
      { status: { phase: after } } as never,
      before ? ({ status: { phase: before } } as never) : undefined,
    ),
  ).toBe(expected),
);
