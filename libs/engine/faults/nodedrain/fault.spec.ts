import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node is cordoned and empty, and uncordoned at the end', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(5).fault('NodeDrain', { target: { nodes: ['worker-1'] }, duration: '1m' });
  expect(bed.at(40).taints('worker-1')).toContain('node.kubernetes.io/unschedulable');
  expect(bed.has('web')).toBe(false);
  expect(bed.at(70).taints('worker-1')).toEqual([]);
});
