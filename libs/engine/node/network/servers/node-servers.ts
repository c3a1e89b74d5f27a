import type { Node, Pod } from '../../../api/core_v1.js';
import type { Remote } from '../../../kernel/network.js';
import { NodeRuntimes, Pods, ProxyRuntimes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import { HttpRemote } from '../../cri/servers/http-remote.js';
import type { ProxyMode } from '../../proxy/index.js';
import { JSON_TYPE, NOT_FOUND, OK, TEXT } from './answers.js';
import { refuseEtcdClient, serveEtcd } from './etcd-server.js';
import { helloOfComponent, helloOfEtcd, helloOfKubelet, type Hello } from './node-certificates.js';
import type { NodeIssuer } from '../../host/pki/issuer.js';

/** One server of a node's own. */
interface NodeServer {
  /** Listens on the loopback address only. */
  readonly isLocal: boolean;
  /** What it shows a client of TLS; absent: it speaks plain HTTP. */
  readonly hello?: Hello;
  /** HttpServer.refuses. */
  readonly refuses?: (certificate: Uint8Array | undefined, now: Millis) => number | undefined;
  isUp(read: Reader, node: string): boolean;
  serve(path: string, settings: NodeSettings, read: Reader, node: string, asked: Asked): PodHttpAnswer;
}

/** By whom and when. */
interface Asked {
  readonly node: Node;
  readonly request: PodHttpRequest;
  readonly now: Millis;
}

/** A kubelet's port, behind who may ask. */
export type KubeletPort = (node: Node, request: PodHttpRequest, now: Millis) => PodHttpAnswer;

export interface NodeSettings {
  readonly proxyMode: ProxyMode;
  /** Who has signed what servers show; absent in a cluster without keys. */
  readonly issuer?: NodeIssuer | undefined;
  /** Absent: a kubelet lets nobody in. */
  readonly kubeletPort?: KubeletPort | undefined;
}

const UNAUTHORIZED: PodHttpAnswer = { status: 401, headers: TEXT, body: 'Unauthorized' };
const bare = (path: string): string => path.split('?', 1)[0]!;
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
  hello: helloOfComponent,
  isUp: runs(name),
  serve: (path) => (HEALTH.includes(bare(path)) ? OK : forbid(path)),
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

const serveKubelet: NodeServer['serve'] = (_path, { kubeletPort }, _read, _name, { node, request, now }) =>
  kubeletPort?.(node, request, now) ?? UNAUTHORIZED;

const SERVERS: Readonly<Record<number, NodeServer>> = {
  2379: {
    isLocal: false,
    hello: helloOfEtcd('server'),
    refuses: refuseEtcdClient,
    isUp: runs('etcd'),
    serve: serveEtcd,
  },
  2380: {
    ...{ isLocal: false, hello: helloOfEtcd('peer'), refuses: refuseEtcdClient },
    ...{ isUp: runs('etcd'), serve: () => NOT_FOUND },
  },
  2381: { isLocal: true, isUp: runs('etcd'), serve: serveEtcd },
  10248: { isLocal: true, isUp: isKubeletUp, serve: (path) => (bare(path) === '/healthz' ? OK : NOT_FOUND) },
  10249: { isLocal: true, isUp: isProxyUp, serve: serveProxy },
  10250: { isLocal: false, hello: helloOfKubelet, isUp: isKubeletUp, serve: serveKubelet },
  10257: component('kube-controller-manager'),
  10259: component('kube-scheduler'),
};

/**
 * What listens on a node beside pods that say so: the kubelet, the health of the control plane, kube-proxy's own pages.
 * `isLocal`: the packet came by the loopback address. Left out: who is authenticated, metrics of components.
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
  const { hello, refuses } = server;
  return new HttpRemote({
    port,
    ...(hello ? { tls: hello(node, read, settings.issuer) } : {}),
    ...(refuses ? { refuses } : {}),
    serve: (request, now) => server.serve(request.path, settings, read, name, { node, request, now }),
  });
}

/** The ports at which servers of a node's own listen. */
export const nodePorts = (read: Reader, node: string): number[] =>
  Object.entries(SERVERS).flatMap(([port, server]) => (server.isUp(read, node) ? [Number(port)] : []));

function serveProxy(path: string, { proxyMode }: NodeSettings): PodHttpAnswer {
  if (bare(path) === '/healthz') return OK;
  return bare(path) === '/proxyMode' ? { ...OK, body: proxyMode } : NOT_FOUND;
}
