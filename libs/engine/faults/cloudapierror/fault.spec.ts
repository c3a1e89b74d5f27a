import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the load balancer is tried again until it is there', () => {
  const bed = new FaultBed();
  bed.fault('CloudAPIError', { duration: '1m' });
  bed.at(1).service('web', 'LoadBalancer');
  // After 5, 10, 20 and 40 s.
  expect(bed.at(30).externalIP('web')).toBeUndefined();
  expect(bed.events('web')).toContainEqual(
    expect.stringMatching(/^SyncLoadBalancerFailed: Error syncing load balancer/),
  );
  expect(bed.at(70).externalIP('web')).toBeUndefined();
  expect(bed.at(80).externalIP('web')).toBeDefined();
});
