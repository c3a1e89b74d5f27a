import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node is short of it, evicts, and recovers after the transition period', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('PIDPressure', { target: { nodes: ['worker-1'] }, duration: '1m' });
  expect(bed.at(30).condition('worker-1', 'PIDPressure')).toMatch(/^True /);
  expect(bed.events('web')).toContainEqual(
    expect.stringMatching(/The node was low on resource: pids\. .*, available: \d+\. /),
  );
  expect(bed.at(420).condition('worker-1', 'PIDPressure')).toMatch(/^False /);
});
