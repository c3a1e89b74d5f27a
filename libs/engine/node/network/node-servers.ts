import type { Node, Pod } from '../../api/core_v1.js';
import type { Remote } from '../../kernel/network.js';
import { NodeRuntimes, Pods, ProxyRuntimes } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';
import type { ServerHello } from '../cni/tls.js';
import { HttpRemote } from '../cri/servers/http-remote.js';
import type { ProxyMode } from '../proxy/index.js';

/** One server of a node's own. */
interface NodeServer {
  /** Listens on the loopback address only. */
  readonly isLocal: boolean;
  /** It shows a certificate that it has signed itself. */
  readonly hasTls: boolean;
  isUp(read: Reader, node: string): boolean;
  serve(path: string, settings: NodeSettings): PodHttpAnswer;
}

export interface NodeSettings {
  readonly proxyMode: ProxyMode;
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
const JSON_TYPE = { 'content-type': 'application/json' };
const OK: PodHttpAnswer = { status: 200, headers: TEXT, body: 'ok' };
const NOT_FOUND: PodHttpAnswer = { status: 404, headers: TEXT, body: '404 page not found\n' };
const UNAUTHORIZED: PodHttpAnswer = { status: 401, headers: TEXT, body: 'Unauthorized' };
const HEALTH = ['/healthz', '/livez', '/readyz'];

const isKubeletUp = (read: Reader, name: string): boolean => {
  const { state = 'running' } = read.get(NodeRuntimes, { namespace: '', name })?.kubelet ?? {};
  return state === 'running' || state === 'cut';
};
const isProxyUp = (read: Reader, name: string): boolean =>
  read.get(ProxyRuntimes, { namespace: '', name }) === undefined;
const runs =
  (container: string) =>
  (read: Reader, node: string): boolean =>
    read.byIndex(Pods, 'nodeName', node).some((pod) => isRunning(pod, container));

const isRunning = ({ spec, status }: Pod, container: string): boolean =>
  spec.hostNetwork === true &&
  (status.containerStatuses ?? []).some(({ name, state }) => name === container && state?.running !== undefined);

/** Models the handlers that staging/src/k8s.io/component-base serves, behind authentication but for what is health. */
const component = (name: string): NodeServer => ({
  isLocal: true,
  hasTls: true,
  isUp: runs(name),
  serve: (path) => (HEALTH.includes(path) ? OK : forbid(path)),
});

const forbid = (path: string): PodHttpAnswer => ({
  status: 403,
  headers: JSON_TYPE,
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `forbidden: User "system:anonymous" cannot get path "${path}"`,
    reason: 'Forbidden',
    details: {},
    code: 403,
  }),
});

const SERVERS: Readonly<Record<number, NodeServer>> = {
  2381: { isLocal: true, hasTls: false, isUp: runs('etcd'), serve: serveEtcd },
  10248: { isLocal: true, hasTls: false, isUp: isKubeletUp, serve: (path) => (path === '/healthz' ? OK : NOT_FOUND) },
  10249: { isLocal: true, hasTls: false, isUp: isProxyUp, serve: serveProxy },
  10250: { isLocal: false, hasTls: true, isUp: isKubeletUp, serve: () => UNAUTHORIZED },
  10257: component('kube-controller-manager'),
  10259: component('kube-scheduler'),
};

/**
 * What listens on a node beside pods that say so: the kubelet, the health of the control plane, kube-proxy's own pages.
 * `isLocal`: the packet came by the loopback address. Left out: who is authenticated, metrics, etcd's port for clients.
 */
export function nodeServer(
  read: Reader,
  node: Node,
  port: number,
  isLocal: boolean,
  settings: NodeSettings,
): Remote | undefined {
  const server = SERVERS[port];
  const name = node.metadata.name ?? '';
  if (!server || (server.isLocal && !isLocal) || !server.isUp(read, name)) return undefined;
  return new HttpRemote({
    port,
    ...(server.hasTls ? { tls: helloOf(name) } : {}),
    serve: ({ path }: PodHttpRequest) => server.serve(path.split('?', 1)[0]!, settings),
  });
}

/** The ports at which servers of a node's own listen. */
export const nodePorts = (read: Reader, node: string): number[] =>
  Object.entries(SERVERS).flatMap(([port, server]) => (server.isUp(read, node) ? [Number(port)] : []));

const helloOf = (node: string): ServerHello => ({
  subject: `CN = ${node}`,
  issuer: `CN = ${node}-ca`,
  names: [node, 'localhost', '127.0.0.1'],
  chain: [],
});

function serveEtcd(path: string): PodHttpAnswer {
  if (path === '/health') return { status: 200, headers: JSON_TYPE, body: '{"health":"true","reason":""}' };
  return path === '/livez' || path === '/readyz' ? { ...OK, body: 'ok\n' } : NOT_FOUND;
}

function serveProxy(path: string, { proxyMode }: NodeSettings): PodHttpAnswer {
  if (path === '/healthz') return OK;
  return path === '/proxyMode' ? { ...OK, body: proxyMode } : NOT_FOUND;
}
