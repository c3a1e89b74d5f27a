import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('containers run on, the node is given up and comes back', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('KubeletStopped', { target: { nodes: ['worker-1'] } });
  expect(bed.at(40).ready('worker-1')).toBe('True');
  expect(bed.at(70).condition('worker-1', 'Ready')).toBe('Unknown NodeStatusUnknown');
  bed.end().at(75);
  expect(bed.ready('worker-1')).toBe('True');
  expect(bed.state('web')).toBe('Running 0');
  expect(bed.events('worker-1')).toContain('Starting: Starting kubelet.');
});
