import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import { formatHello } from '../cni/tls.js';
import type { Reader } from '../../machinery/client.js';
import { nodeServer } from './node-servers.js';

const node = { metadata: { name: 'n1' } } as Node;
const component = (name: string): Pod =>
  ({
    spec: { hostNetwork: true },
    status: { containerStatuses: [{ name, state: { running: {} } }] },
  }) as unknown as Pod;

interface World {
  readonly kubelet?: string;
  readonly proxyStopped?: boolean;
  readonly runs?: readonly string[];
}

function ask(port: number, path: string, isLocal: boolean, { kubelet, proxyStopped, runs = [] }: World): string {
  const read = {
    get: ({ kind }: { kind: string }) =>
      kind === 'ProxyRuntime' ? (proxyStopped ? {} : undefined) : kubelet && { kubelet: { state: kubelet } },
    byIndex: () => runs.map(component),
  } as unknown as Reader;
  const server = nodeServer(read, node, port, isLocal, { proxyMode: 'ipvs' });
  const hello = [10_250, 10_257, 10_259].includes(port) ? formatHello({ name: '' } as never) : '';
  return server ? server.answer(`${hello}GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, 0).send : 'refused';
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
  [2_381, '/nothing', true, { runs: ['etcd'] }, /404 Not Found/],
  [9_999, '/', true, {}, /^refused$/],
])('port %i, %s, by the loopback: %s, of %j', (port, path, isLocal, world, expected) =>
  expect(ask(port, path, isLocal, world)).toMatch(expected),
);
