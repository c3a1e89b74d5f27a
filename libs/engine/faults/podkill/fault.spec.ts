import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test.each([
  [{ mode: 'one' as const }, 1],
  [{ mode: 'percent' as const, value: 50 }, 2],
  [{}, 4],
])('%j of four pods are deleted: %d', (mode, deleted) => {
  const bed = new FaultBed();
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) bed.pod(name, { image: 'nginx:1.27' });
  bed.at(5).fault('PodKill', { target: { namespaces: ['default'], ...mode }, seed: 7 });
  bed.at(10);
  expect(names.filter((name) => !bed.has(name))).toHaveLength(deleted);
});

test('without a pod there is nothing to kill', () => {
  const bed = new FaultBed();
  bed.fault('PodKill', { target: { namespaces: ['nowhere'] } });
  expect(bed.at(1).phase()).toBe('Failed');
});
