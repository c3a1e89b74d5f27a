import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/fault-bed.js';

test('the node is given up while its containers run, and is heard again', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('ControlPlanePartition', { target: { nodes: ['worker-1'] }, duration: '2m' });
  expect(bed.at(70).ready('worker-1')).toBe('Unknown');
  expect(bed.taints('worker-1')).toContain('node.kubernetes.io/unreachable');
  expect(bed.at(140).ready('worker-1')).toBe('True');
  expect(bed.state('web')).toBe('Running 0');
});
