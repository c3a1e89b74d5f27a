import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/fault-bed.js';

test('with one member the API server ends, and is back after it', () => {
  const bed = new FaultBed();
  bed.fault('EtcdMemberDown', { duration: '1m' });
  expect(bed.at(2).request('/api/v1/namespaces/default/pods').body).toContain('connect: connection refused');
  expect(bed.at(90).request('/api/v1/namespaces/default/pods').status).toBe(200);
});

test('of three members two go on', () => {
  const bed = new FaultBed();
  bed.fault('EtcdMemberDown', { parameters: { members: 3 } });
  expect(bed.at(2).request('/api/v1/namespaces/default/pods').status).toBe(200);
});
