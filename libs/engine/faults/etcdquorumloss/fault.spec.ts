import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/fault-bed.js';

test('writes time out, reads of now fail, what the watch cache has is served', () => {
  const bed = new FaultBed();
  bed.fault('EtcdQuorumLoss', { duration: '1m' });
  const write = (): { status: number; body: string } =>
    bed.request('/api/v1/namespaces/default/configmaps', 'POST', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    });
  bed.at(1);
  expect(write()).toMatchObject({ status: 500, body: expect.stringContaining('etcdserver: request timed out') });
  expect(bed.request('/api/v1/namespaces/default/pods').body).toContain('etcdserver: no leader');
  expect(bed.request('/api/v1/namespaces/default/pods', 'GET', undefined, 'resourceVersion=0').status).toBe(200);
  expect(bed.at(61) && write().status).toBe(201);
});

test('controllers stand still', () => {
  const bed = new FaultBed();
  bed.fault('EtcdQuorumLoss', { duration: '1m' });
  bed.at(1).deployment('web');
  expect(bed.at(50).pods('web')).toHaveLength(0);
  expect(bed.at(70).pods('web')).toHaveLength(1);
});
