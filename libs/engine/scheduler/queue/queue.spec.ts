import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { SchedulingQueue } from './queue.js';
import { makePod } from '../testing.js';

const UNSCHEDULABLE = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
const [low, high, higher] = [0, 10, 20].map((priority) => makePod({ priority })) as [Pod, Pod, Pod];

function queueOf(...pods: Pod[]): SchedulingQueue {
  const queue = new SchedulingQueue();
  for (const pod of pods) queue.onPod(undefined, pod);
  return queue;
}

test('the pods of a higher priority are ahead, the highest first', () => {
  const second = makePod({ priority: 10 });
  const queue = queueOf(low, high, higher, second);
  expect(queue.podsAhead(low)).toEqual([higher, high, second]);
  expect(queue.podsAhead(high)).toEqual([higher]);
  expect(queue.podsAhead(higher)).toEqual([]);
  expect(queue.podsAhead(makePod())).toEqual([higher, high, second]);
});

test.each<[string, Pod | undefined]>([
  ['is deleted', undefined],
  ['is bound', { ...high, spec: { ...high.spec, nodeName: 'a' } }],
  ['is found unschedulable', { ...high, status: UNSCHEDULABLE }],
  ['is being deleted', { ...high, metadata: { ...high.metadata, deletionTimestamp: 't' } }],
])('a pod that %s leaves the queue', (_, next) => {
  const queue = queueOf(high);
  queue.onPod(high, next);
  expect(queue.podsAhead(low)).toEqual([]);
});

test.each<[string, Pod]>([
  ['of another scheduler', makePod({ priority: 10, schedulerName: 'mine' })],
  ['with a gate', makePod({ priority: 10, schedulingGates: [{ name: 'g' }] })],
  ['that is assigned', makePod({ priority: 10 }, {}, 'a')],
])('a pod %s does not enter the queue', (_, pod) => expect(queueOf(pod).podsAhead(low)).toEqual([]));

test('a pod whose gate is gone enters the queue', () => {
  const gated = makePod({ priority: 10, schedulingGates: [{ name: 'g' }] });
  const queue = queueOf(gated);
  const open = { ...gated, spec: { ...gated.spec, schedulingGates: [] } };
  queue.onPod(gated, open);
  expect(queue.podsAhead(low)).toEqual([open]);
});
