import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test.each([
  ['2s', true, 201],
  ['10s', false, 500],
])('writes with a latency of %s wait: %s', (latency, waits, status) => {
  const bed = new FaultBed();
  bed.fault('EtcdSlowDisk', { parameters: { latency } });
  const path = '/api/v1/namespaces/default/configmaps';
  expect(bed.at(1).waits(path, 'POST', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })).toBe(waits);
  expect(bed.request(path, 'POST', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }).status).toBe(
    status,
  );
  expect(bed.waits('/api/v1/namespaces/default/pods')).toBe(false);
});
