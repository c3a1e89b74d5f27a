import type { Node, Pod } from '../../api/core_v1.js';
import type { Network, Remote } from '../../kernel/network.js';
import { hash32 } from '../../machinery/random.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import { resolveName } from '../cni/cluster-dns.js';
import type { ClusterNetwork } from './cluster-network.js';
import { destinationOf, findTaker, type Listeners } from './deliver.js';
import { podInterfaces, podRoutes } from './interfaces.js';
import type { Sender } from './way.js';

/** Ports that Linux gives to sockets that ask for none. */
const FIRST_EPHEMERAL = 32_768;
const EPHEMERAL = 28_232;

export interface NetworkOptions extends Pick<Listeners, 'listenerOf'> {
  readonly read: Reader;
  readonly network: ClusterNetwork;
  /** Called when a program asks for a name or connects to an address. */
  onContact(now: Millis): void;
  /** A server that is known by its summary. */
  summaryServer(pod: Pod, port: number): Remote;
  apiServer(from: Pod): Remote;
}

/** The cluster's network, as one pod is plugged into it. A pod on its node's network has its node's. */
export function podNetwork(pod: Pod, options: NetworkOptions): Network {
  const { network } = options;
  const host = (): Node | undefined => (pod.spec.hostNetwork ? network.book.node(pod.spec.nodeName) : undefined);
  return {
    connect(from, address, port, protocol, now) {
      options.onContact(now);
      const way = network.send(senderOf(pod), { address, port, protocol }, sourcePort(from, now), now);
      const taker = findTaker(way, listenersOf(options), now);
      return destinationOf(taker, way.source, {
        summaryServer: (to, own) => options.summaryServer(to, own),
        apiServer: () => options.apiServer(pod),
      });
    },
    resolve(name, type, now) {
      options.onContact(now);
      return resolveName(options.read, name, type, now);
    },
    interfaces: () => {
      const node = host();
      return node ? network.interfacesOf(node) : podInterfaces(pod);
    },
    routes: () => {
      const node = host();
      return node ? network.routesOf(node) : podRoutes(pod);
    },
    isShared: pod.spec.hostNetwork === true,
    netfilter: (now) => {
      const node = host();
      return node && network.rulesOf(node, now);
    },
  };
}

const senderOf = (pod: Pod): Sender => ({ pod });

/** Each connection has another; a machine that is run again takes the same. */
const sourcePort = (machine: string, now: Millis): number => FIRST_EPHEMERAL + (hash32(machine, now) % EPHEMERAL);

const listenersOf = ({ network, listenerOf }: NetworkOptions): Listeners => ({
  listenerOf,
  podsOnHost: (node) => network.book.podsOnHost(node),
  hostServer: (node, port, now) => network.hostServer(node, port, now),
});
