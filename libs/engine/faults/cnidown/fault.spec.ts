import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node is not ready, and pods wait for the network', () => {
  const bed = new FaultBed();
  bed.at(5).fault('CNIDown', { target: { nodes: ['worker-1'] }, duration: '1m' });
  bed.at(6).pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  expect(bed.at(10).condition('worker-1', 'Ready')).toBe('False KubeletNotReady');
  expect(bed.events('web')).toContainEqual(expect.stringContaining('cni plugin not initialized'));
  // The kubelet tells of it, and the node controller does not.
  expect(bed.events('worker-1').filter((event) => event.startsWith('NodeNotReady:'))).toHaveLength(1);
  expect(bed.at(100).ready('worker-1')).toBe('True');
  expect(bed.state('web')).toBe('Running 0');
});
