import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

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

test('etcdctl shows three members, one of which is not reached, and a leader', () => {
  const bed = new FaultBed();
  bed.fault('EtcdMemberDown', { duration: '1m', parameters: { members: 3 } });
  const certificates = '--cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt';
  const etcdctl = `etcdctl ${certificates} --key=/etc/kubernetes/pki/etcd/server.key`;
  const shown = bed.at(1).onNode('control-plane', `${etcdctl} endpoint status --cluster; ${etcdctl} member list`);
  expect(shown.match(/, 3\.6\.\d+, 8\.8 MB, /g)).toHaveLength(2);
  expect(shown.match(/2\.1 GB, true, false, 3, /g)).toHaveLength(1);
  expect(shown).toMatch(/Failed to get the status of endpoint https:\/\/\S+:2379 \(context deadline exceeded\)/);
  expect(shown.match(/, started, /g)).toHaveLength(3);
});
