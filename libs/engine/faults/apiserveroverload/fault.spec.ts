import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('requests are rejected', () => {
  const bed = new FaultBed();
  bed.fault('APIServerOverload');
  const { status, body } = bed.at(1).request('/api/v1/namespaces/default/pods');
  expect(status).toBe(429);
  expect(body).toBe('Too many requests, please try again later.\n');
});
