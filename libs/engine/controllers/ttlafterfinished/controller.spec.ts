import { expect, it, test } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import { Jobs, Pods } from '../../kinds/index.js';
import { controller as garbagecollector } from '../garbagecollector/controller.js';
import { controller as job } from '../job/controller.js';
import { controller } from './controller.js';

/** A bed whose Job 'work' has one running pod. */
function newBed(ttlSecondsAfterFinished?: number): ControllerBed {
  const bed = new ControllerBed({ controllers: [job, controller, garbagecollector] });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox' }] } };
  bed.create(Jobs, 'work', {
    spec: { template, backoffLimit: 0, ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }) },
    status: {},
  });
  return bed.settle();
}
const end = (bed: ControllerBed, phase: 'Succeeded' | 'Failed'): void => {
  for (const pod of bed.client.list(Pods)) bed.finish(pod, phase);
  // The Job controller sees the ends of pods after a second.
  bed.settle(seconds(1));
};

it('a Job goes some time after its end, with its pods', () => {
  const bed = newBed(100);
  end(bed, 'Succeeded');
  bed.settle(seconds(99));
  expect(names(bed.client.list(Jobs))).toEqual(['work']);
  bed.settle(seconds(60));
  expect(names(bed.client.list(Jobs))).toEqual([]);
  expect(bed.client.list(Pods)).toHaveLength(0);
  expect(bed.errors).toEqual([]);
});

test.each([
  ['that failed goes, too', 100, 'Failed', []],
  ['with a time of 0 goes', 0, 'Succeeded', []],
  ['without a time stays', undefined, 'Succeeded', ['work']],
] as const)('a Job %s', (_, ttl, phase, left) => {
  const bed = newBed(ttl);
  end(bed, phase);
  bed.settle(seconds((ttl ?? 1_000_000) + 1));
  expect(names(bed.client.list(Jobs))).toEqual(left);
});

test('a Job with a time of 0 is complete for a moment, which a watch can see', () => {
  const bed = newBed(0);
  end(bed, 'Succeeded');
  expect(bed.get(Jobs, 'work').status.succeeded).toBe(1);
  bed.settle(99);
  expect(bed.get(Jobs, 'work').status.conditions?.at(-1)).toMatchObject({ type: 'Complete', status: 'True' });
  bed.settle(1);
  expect(names(bed.client.list(Jobs))).toEqual([]);
});

test('a Job that runs stays however long it takes; its time may be set after its end', () => {
  const bed = newBed(100);
  bed.settle(seconds(1000));
  expect(names(bed.client.list(Jobs))).toEqual(['work']);
  const late = newBed();
  end(late, 'Succeeded');
  late.settle(seconds(1000));
  const work = late.get(Jobs, 'work');
  late.client.update(Jobs, { ...work, spec: { ...work.spec, ttlSecondsAfterFinished: 10 } });
  late.settle(100);
  expect(names(late.client.list(Jobs))).toEqual([]);
});
