import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('it stays pending without an error', () => {
  const bed = new FaultBed();
  bed.fault('LoadBalancerPending', { target: { services: ['web'] }, duration: '1m' });
  bed.at(1).service('web', 'LoadBalancer');
  bed.service('other', 'LoadBalancer');
  expect(bed.at(30).externalIP('web')).toBeUndefined();
  expect(bed.externalIP('other')).toBeDefined();
  expect(bed.events('web')).toEqual(['EnsuringLoadBalancer: Ensuring load balancer']);
  expect(bed.at(70).externalIP('web')).toBeDefined();
});
