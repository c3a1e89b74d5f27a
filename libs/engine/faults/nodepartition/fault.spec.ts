import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('pods of other nodes are not reached, those of the same node are', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.pod('near', { image: 'busybox:1.36', command: ['sleep', '9999'] }, { nodeName: 'worker-1' });
  bed.pod('far', { image: 'busybox:1.36', command: ['sleep', '9999'] }, { nodeName: 'worker-2' });
  bed.at(10).fault('NodePartition', { target: { nodes: ['worker-1'] } });
  bed.at(11);
  expect(bed.trace('far', 'web', 80)).toBe('Dropped');
  expect(bed.trace('near', 'web', 80)).toBe('Delivered');
  expect(bed.at(100).ready('worker-1')).toBe('True');
  expect(bed.end().at(101).trace('far', 'web', 80)).toBe('Delivered');
});
