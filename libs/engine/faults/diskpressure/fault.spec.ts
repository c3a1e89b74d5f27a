import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node is short of it, evicts, and recovers after the transition period', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('DiskPressure', { target: { nodes: ['worker-1'] }, duration: '1m' });
  expect(bed.at(30).condition('worker-1', 'DiskPressure')).toMatch(/^True /);
  expect(bed.events('worker-1')).toContain('EvictionThresholdMet: Attempting to reclaim ephemeral-storage');
  expect(bed.at(420).condition('worker-1', 'DiskPressure')).toMatch(/^False /);
});
