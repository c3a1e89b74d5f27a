import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { kubelet } from './kubelet.js';
import { images, pod, readerOf } from './testing.js';

const [pods] = kubelet(images).sources;
/** Whether a change of a pod queues it. */
const isQueued = (next: Pod, old: Pod | undefined): boolean => [...pods!.keys!(next, readerOf(next), old)].length > 0;

const bound = pod();
const { spec } = bound;
const withStatus: Pod = { ...bound, status: { phase: 'Running' } };
const gates = pod({ readinessGates: [{ conditionType: 'ok' }] });

test.each<[string, Pod, Pod | undefined, boolean]>([
  ['a pod that is created without a node', pod({ nodeName: undefined }), undefined, false],
  ['a pod that is created on a node', bound, undefined, true],
  ['a pod that is bound', bound, pod({ nodeName: undefined }), true],
  ['a status, which the kubelet itself writes', withStatus, bound, false],
  ['a status of a pod with readiness gates', { ...gates, status: { phase: 'Running' } }, gates, true],
  ['another spec', { ...bound, spec: { ...spec } }, bound, true],
  ['a deletion', { ...bound, metadata: { ...bound.metadata, deletionTimestamp: 'x' } }, bound, true],
  ['labels', { ...bound, metadata: { ...bound.metadata, labels: { a: 'b' } } }, bound, false],
])('%s: %s', (_case, next, old, expected) => {
  expect(isQueued(next, old)).toBe(expected);
});

test('a pod that was removed is queued: its PodRuntime goes too', () => {
  expect([...pods!.keys!(bound, readerOf(), bound)]).toEqual([{ namespace: 'shop', name: 'web' }]);
});
