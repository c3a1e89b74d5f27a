import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node renews its lease by its own clock', () => {
  const bed = new FaultBed();
  const renewed = (): number => Date.parse(bed.lease('worker-1')) - bed.cluster.state.now;
  expect(renewed()).toBeGreaterThan(-11_000);
  bed.at(10).fault('ClockSkew', { target: { nodes: ['worker-1'] }, parameters: { offset: '-1h' }, duration: '5m' });
  expect(bed.at(60) && renewed()).toBeLessThan(-3_590_000);
  expect(bed.at(320) && renewed()).toBeGreaterThan(-11_000);
});
