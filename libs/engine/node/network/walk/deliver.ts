import type { Node, Pod } from '../../../api/core_v1.js';
import type { Destination, Remote } from '../../../kernel/network.js';
import { isLoopback } from '../../../kernel/sockets/table.js';
import type { Millis } from '../../../machinery/time/time.js';
import { isControlPlane } from '../../host/files/config-files.js';
import { API_SERVER_PORT } from '../api-server.js';
import { REFUSED, type Unreached } from './target.js';
import type { Way } from './way.js';

/** Who listens where in the cluster. */
export interface Listeners {
  /**
   * What is at a port of a pod: a server that is known by its summary, a program of the pod's machine, or nothing that
   * accepts connections.
   */
  listenerOf(pod: Pod, port: number, now: Millis): 'summary' | 'machine' | 'none';
  podsOnHost(node: string): readonly Pod[];
  /** A server of a node that is no pod's, such as its kubelet. `isLocal`: for who comes by the loopback. */
  hostServer(node: Node, port: number, now: Millis, isLocal: boolean): Remote | undefined;
  /** Whether the API server of a control plane node runs. By default it does. */
  servesApi?(node: Node): boolean;
}

/** Who takes a packet that has come to its end. */
export type Taker =
  | { readonly pod: Pod; readonly port: number; readonly by: 'summary' | 'machine' }
  | { readonly remote: Remote }
  | { readonly api: true }
  | Unreached;

/** Finds the server at the end of a way; a closed network has nothing outside. */
export function findTaker({ end, source }: Way, listeners: Listeners, now: Millis): Taker {
  if ('error' in end) return end;
  if ('outside' in end) return { error: 'ENETUNREACH', after: 0 };
  if ('pod' in end) {
    const by = listeners.listenerOf(end.pod, end.port, now);
    return by === 'none' ? REFUSED : { pod: end.pod, port: end.port, by };
  }
  return onHost(end.node, end.port, listeners, now, isLoopback(source));
}

/** A port of a node: pods on its network share it, and one of them may have it. */
function onHost(node: Node, port: number, listeners: Listeners, now: Millis, isLocal: boolean): Taker {
  if (port === API_SERVER_PORT && isControlPlane(node))
    return listeners.servesApi?.(node) === false ? REFUSED : { api: true };
  const remote = listeners.hostServer(node, port, now, isLocal);
  if (remote) return { remote };
  const found = listeners
    .podsOnHost(node.metadata.name ?? '')
    .map((pod) => ({ pod, port, by: listeners.listenerOf(pod, port, now) }))
    .filter(({ by }) => by !== 'none');
  const taker = found.find(({ pod }) => declares(pod, port)) ?? found.find(({ by }) => by === 'summary') ?? found[0];
  return taker ? (taker as Taker) : REFUSED;
}

const declares = ({ spec }: Pod, port: number): boolean =>
  spec.containers.some(({ ports }) => ports?.some(({ containerPort }) => containerPort === port));

/** What a socket is connected to. */
export function destinationOf(
  taker: Taker,
  source: string,
  servers: { summaryServer(pod: Pod, port: number, source: string): Remote; apiServer(): Remote },
): Destination {
  if ('error' in taker || 'remote' in taker) return taker;
  if ('api' in taker) return { remote: servers.apiServer() };
  const { pod, port, by } = taker;
  return by === 'summary'
    ? { remote: servers.summaryServer(pod, port, source) }
    : { machine: pod.metadata.uid ?? '', port, from: source };
}
