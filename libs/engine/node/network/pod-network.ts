import type { Pod } from '../../api/core_v1.js';
import type { Destination, Network, Remote } from '../../kernel/network.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import { resolveName } from '../cni/cluster-dns.js';
import { podInterfaces, podRoutes } from './interfaces.js';
import { findTarget } from './find-target.js';
import type { Target } from './target.js';

export interface NetworkOptions {
  readonly read: Reader;
  /** Called when a program asks for a name or connects to an address. */
  onContact(now: Millis): void;
  /**
   * What is at a port of a pod: a server that is known by its summary, a program of the pod's machine, or nothing that
   * accepts connections.
   */
  listenerOf(pod: Pod, port: number, now: Millis): 'summary' | 'machine' | 'none';
  /** A server that is known by its summary. */
  summaryServer(pod: Pod, port: number): Remote;
  apiServer(from: Pod): Remote;
}

/** The cluster's network, as one pod is plugged into it. */
export function podNetwork(pod: Pod, options: NetworkOptions): Network {
  const { read } = options;
  return {
    connect(from, address, port, protocol, now) {
      options.onContact(now);
      return connect(findTarget(read, `${from}/${address}`, address, port, protocol, now), pod, options, now);
    },
    resolve(name, type, now) {
      options.onContact(now);
      return resolveName(read, name, type, now);
    },
    interfaces: () => podInterfaces(pod),
    routes: () => podRoutes(pod),
  };
}

function connect(target: Target, from: Pod, options: NetworkOptions, now: Millis): Destination {
  if ('error' in target) return target;
  if ('api' in target) return { remote: options.apiServer(from) };
  const { pod, port } = target;
  switch (options.listenerOf(pod, port, now)) {
    case 'summary':
      return { remote: options.summaryServer(pod, port) };
    case 'machine':
      return { machine: pod.metadata.uid ?? '', port, from: from.status.podIP ?? '' };
    default:
      return { error: 'ECONNREFUSED', after: 0 };
  }
}
