import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

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
  expect(bed.request('/api/v1/namespaces/default/pods').body).toContain('etcdserver: request timed out');
  expect(bed.request('/readyz').body).toContain('[-]etcd failed: reason withheld');
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

const ETCDCTL =
  'etcdctl --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt ' +
  '--key=/etc/kubernetes/pki/etcd/server.key';

test('etcdctl on the node finds a member without a leader, and a cluster that does not answer', () => {
  const bed = new FaultBed();
  const ask = (command: string): string => bed.onNode('control-plane', `${ETCDCTL} ${command}`);
  bed.fault('EtcdQuorumLoss', { duration: '1m' });
  const status = bed.at(1) && ask('--endpoints=https://127.0.0.1:2379 endpoint status -w table');
  expect(status).toMatch(
    /\| https:\/\/127\.0\.0\.1:2379 \| a8cbd6e8c5b2b7d1 .* false {5}\| false .* \| etcdserver: no leader \|/,
  );
  expect(ask('member list')).toMatch(
    /"error":"rpc error: code = DeadlineExceeded.*\nError: context deadline exceeded\n$/s,
  );
  expect(ask('endpoint status --cluster -w table')).toContain(
    'Error: failed to fetch endpoints from etcd cluster member list: context deadline exceeded\n',
  );
  expect(ask('endpoint health')).toMatch(
    /127\.0\.0\.1:2379 is unhealthy: failed to commit proposal: context deadline exceeded\nError: unhealthy cluster\n$/,
  );
  expect(ask('get /registry/namespaces/default --keys-only')).toContain('Error: context deadline exceeded');
  expect(ask('get /registry/namespaces/default --keys-only --consistency=s')).toBe('/registry/namespaces/default\n\n');
  bed.at(61);
  expect(ask('endpoint health')).toContain('is healthy');
  expect(ask('endpoint status')).toMatch(/, true, false, 2, \d+, \d+, , , false\n$/);
});
