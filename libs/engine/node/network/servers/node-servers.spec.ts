import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../api/core_v1.js';
import { formatHello } from '../../cni/tls.js';
import type { Reader } from '../../../machinery/client.js';
import { nodeServer } from './node-servers.js';

const node = { metadata: { name: 'n1' }, status: {} } as Node;
const component = (name: string): Pod =>
  ({
    spec: { hostNetwork: true, containers: [{ name, image: `registry.k8s.io/${name}:3.6.8-0` }] },
    status: { containerStatuses: [{ name, state: { running: {} } }] },
  }) as unknown as Pod;

const NO_LEADER = { status: { effects: [{ does: 'etcd', fault: 'quorum', membersDown: 2 }] } };

interface World {
  readonly kubelet?: string;
  readonly proxyStopped?: boolean;
  readonly runs?: readonly string[];
  readonly noLeader?: boolean;
}

function ask(
  port: number,
  path: string,
  isLocal: boolean,
  { kubelet, proxyStopped, runs = [], noLeader }: World,
): string {
  const read = {
    get: ({ kind }: { kind: string }) =>
      kind === 'ProxyRuntime' ? (proxyStopped ? {} : undefined) : kubelet && { kubelet: { state: kubelet } },
    byIndex: ({ kind }: { kind: string }) => (kind === 'Pod' ? runs.map(component) : noLeader ? [NO_LEADER] : []),
  } as unknown as Reader;
  const server = nodeServer(read, node, port, isLocal, { proxyMode: 'ipvs' });
  const hello = [2_379, 10_250, 10_257, 10_259].includes(port) ? formatHello({ name: '' } as never) : '';
  return server ? server.answer(`${hello}GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, 0, 0).send : 'refused';
}

test.each<[number, string, boolean, World, RegExp]>([
  [10_248, '/healthz', true, {}, /200 OK[^]*\r\n\r\nok$/],
  [10_248, '/healthz', false, {}, /^refused$/],
  [10_248, '/healthz', true, { kubelet: 'stopped' }, /^refused$/],
  [10_250, '/pods', false, {}, /401 Unauthorized[^]*Unauthorized$/],
  [10_249, '/proxyMode', true, {}, /\r\n\r\nipvs$/],
  [10_249, '/proxyMode', true, { proxyStopped: true }, /^refused$/],
  [10_259, '/healthz', true, { runs: ['kube-scheduler'] }, /\r\n\r\nok$/],
  [10_259, '/metrics', true, { runs: ['kube-scheduler'] }, /403 Forbidden[^]*cannot get path \\"\/metrics\\"/],
  [10_257, '/healthz', true, { runs: ['kube-scheduler'] }, /^refused$/],
  [2_381, '/health', true, { runs: ['etcd'] }, /{"health":"true","reason":""}$/],
  [2_381, '/health', true, { runs: ['etcd'], noLeader: true }, /503 [^]*{"health":"false","reason":"RAFT NO LEADER"}$/],
  [2_381, '/readyz?verbose', true, { runs: ['etcd'] }, /\[\+\]linearizable_read ok\nok\n$/],
  [2_381, '/readyz', true, { runs: ['etcd'], noLeader: true }, /503 [^]*\[-\]linearizable_read failed: etcdserver/],
  [2_381, '/livez', true, { runs: ['etcd'], noLeader: true }, /\r\n\r\nok\n$/],
  [2_381, '/metrics', true, { runs: ['etcd'] }, /\netcd_server_has_leader 1\n[^]*{server_version="3.6.8"} 1\n$/],
  [2_379, '/health', false, { runs: ['etcd'] }, /"issuer":"CN = etcd-ca"[^]*\n\x15\x03\x03\0\x02\x02t$/],
  [2_379, '/health', true, {}, /^refused$/],
  [2_381, '/v3/kv/range', true, { runs: ['etcd'] }, /501 [^]*is not simulated/],
  [2_381, '/nothing', true, { runs: ['etcd'] }, /404 Not Found/],
  [9_999, '/', true, {}, /^refused$/],
])('port %i, %s, by the loopback: %s, of %j', (port, path, isLocal, world, expected) =>
  expect(ask(port, path, isLocal, world)).toMatch(expected),
);
