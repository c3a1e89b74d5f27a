import type { Node, Pod } from '../../api/core_v1.js';
import type { TrackEntry } from '../../kernel/conntrack/print.js';
import type { Flow } from '../../kernel/conntrack/track.js';
import type { ErrorCode } from '../../kernel/errno.js';
import type { Network, Remote } from '../../kernel/network.js';
import type { SocketInfo } from '../../kernel/process/syscalls.js';
import { servesApi } from '../../kinds/terrarium/noderuntime/api-server.js';
import { hash32 } from '../../machinery/random.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import { podInterfacesOf, podRoutesOf } from '../cni/fabric/views.js';
import { withAttachedInterfaces, withAttachedRoutes } from '../cni/multus/views.js';
import type { Process } from '../cri/image.js';
import { reachesRuntime, RUNTIME_ADDRESS } from '../cri/service/socket.js';
import { askNameServer, DNS_PORT, type NameNetwork } from '../dns/ask-name-server.js';
import type { ClusterNetwork } from './cluster-network.js';
import { isHung } from '../kubelet/container/process-faults.js';
import { destinationOf, findTaker, type Listeners, type Taker } from './walk/deliver.js';
import { withHttpRules } from '../policy/cilium/http-filter.js';
import type { HttpMatch } from '../policy/index.js';
import { flowOf } from './tracks/flow.js';
import type { Hop } from './walk/hop.js';
import { attachedSource } from './walk/leave-attached.js';
import { podInterfaces, podRoutes } from './interfaces/interfaces.js';
import { podInterfaces6, podRoutes6 } from './interfaces/interfaces6.js';
import { enterNetwork, findNetns } from './namespaces.js';
import { isNodePort } from './node-ports.js';
import { redirectsOf } from './redirects.js';
import { webServerAt } from './web/web-server.js';
import { CONNECT_TIMEOUT } from './walk/target.js';
import { withNameFaults } from './faults/name-faults.js';
import type { Sender, Way } from './walk/way.js';

/** Ports that Linux gives to sockets that ask for none. */
const FIRST_EPHEMERAL = 32_768;
const EPHEMERAL = 28_232;

export interface NetworkOptions extends Pick<Listeners, 'listenerOf'> {
  readonly read: Reader;
  readonly network: ClusterNetwork;
  /** Called when a program asks for a name or connects to an address. */
  onContact(now: Millis): void;
  /** A server that is known by its summary. `source`: the address that it sees. */
  summaryServer(pod: Pod, port: number, source: string): Remote;
  apiServer(from: Pod): Remote;
  /** The container runtime of its node, for a pod that has its socket. */
  runtime?(from: Pod): Remote;
  /** The process of a pod that answers questions for names now. */
  nameServerOf(pod: Pod, now: Millis): Process | undefined;
  /** The connections that pass a node. */
  tracksOn(node: string, now: Millis): readonly TrackEntry[];
  /** Who listens in a pod. */
  socketsOf(pod: Pod, now: Millis): readonly SocketInfo[];
  forgetTrack(entry: TrackEntry, now: Millis): void;
}

/** The cluster's network, as one pod is plugged into it. A pod on its node's network has its node's. */
export function podNetwork(pod: Pod, options: NetworkOptions): Network {
  const { network } = options;
  const redirects = redirectsOf(pod);
  const host = (): Node | undefined => (pod.spec.hostNetwork ? network.book.node(pod.spec.nodeName) : undefined);
  return {
    connect(from, address, port, protocol, now, visits) {
      options.onContact(now);
      if (address === RUNTIME_ADDRESS)
        return options.runtime && reachesRuntime(pod)
          ? { remote: options.runtime(pod) }
          : { error: 'ECONNREFUSED', after: 0 };
      const way = network.send(senderOf(pod), { address, port, protocol }, sourcePort(from, now), now, visits);
      const taker = takerOf(way, address, port, options, now);
      const answering = answeringTaker(taker, options.read, now);
      const found = destinationOf(answering, way.source, {
        summaryServer: (to, own, source) => options.summaryServer(to, own, source),
        apiServer: () => options.apiServer(pod),
      });
      const http = httpRulesOf(way.hops);
      const filtered = http.length === 0 ? found : withHttpRules(found, http);
      return {
        ...filtered,
        flow: flowOf(way),
        ...(way.visited.length > 0 ? { visited: way.visited } : {}),
        ...(way.latency === undefined ? {} : { latency: way.latency }),
      };
    },
    resolve(name, type, now, server) {
      options.onContact(now);
      let flow: Flow | undefined;
      const names = nameNetwork(options, (from, way) => {
        if (from === pod) flow ??= flowOf(way);
      });
      const answer = withNameFaults(options.read, pod, { name, type, now }, () =>
        askNameServer(names, pod, server, name, type, now),
      );
      return flow ? { ...answer, flow } : answer;
    },
    interfaces: () => {
      const node = host();
      if (node) return network.interfacesOf(node);
      const own = podInterfacesOf(options.read, pod) ?? podInterfaces6(pod, podInterfaces(pod));
      return withAttachedInterfaces(options.read, pod, own);
    },
    routes: () => {
      const node = host();
      if (node) return network.routesOf(node);
      return withAttachedRoutes(options.read, pod, podRoutesOf(options.read, pod) ?? podRoutes(pod));
    },
    routes6: () => {
      const node = host();
      return node ? network.routes6Of(node) : podRoutes6(pod);
    },
    sourceTo: (address) => attachedSource(options.read, pod, address),
    neighbours: () => {
      const node = host();
      return node ? network.neighboursOf(node) : [];
    },
    isShared: pod.spec.hostNetwork === true,
    isTaken: (port, now) => pod.spec.hostNetwork === true && isNodePort(pod, port, now, options),
    ...(redirects ? { redirects: () => redirects } : {}),
    netfilter: (now, isSixth) => {
      const node = host();
      return node && network.rulesOf(node, now, isSixth);
    },
    tracks: pod.spec.hostNetwork === true,
    tracked: (now) => {
      const node = host()?.metadata.name;
      if (node === undefined) return undefined;
      options.onContact(now);
      return options.tracksOn(node, now);
    },
    ...(mayEnter(pod) ? { enter: (name) => enter(pod, name, options) } : {}),
    isCleared: (track, now) => {
      options.onContact(now);
      return network.isCleared(track);
    },
    forget: (entry, now) => {
      options.onContact(now);
      options.forgetTrack(entry, now);
    },
  };
}

/** Programs in their node's PID namespace, or with its disk, find others' namespaces. */
const mayEnter = ({ spec }: Pod): boolean =>
  spec.hostPID === true || (spec.volumes ?? []).some(({ hostPath }) => hostPath !== undefined);

function enter(pod: Pod, name: string, options: NetworkOptions): Network | undefined {
  const there = findNetns(options.read, pod.spec.nodeName ?? '', name);
  return there && enterNetwork(podNetwork(there, options), there, (now) => options.socketsOf(there, now));
}

/** Outside is nothing but the files that an author has put there. */
function takerOf(way: Way, address: string, port: number, options: NetworkOptions, now: Millis): Taker {
  const remote = 'outside' in way.end ? webServerAt(options.read, address, port) : undefined;
  return remote ? { remote } : findTaker(way, listenersOf(options), now);
}

/** A program that is stopped answers nobody. */
const answeringTaker = (taker: Taker, read: Reader, now: Millis): Taker =>
  'pod' in taker && isHung(read, taker.pod, now) ? NO_ANSWER : taker;
const NO_ANSWER: Taker = { error: 'ETIMEDOUT', after: CONNECT_TIMEOUT };

/** What policies of HTTP ask of the requests of a connection, by direction. */
const httpRulesOf = (hops: readonly Hop[]): readonly (readonly HttpMatch[])[] =>
  hops.flatMap((hop) => (hop.type === 'policy' && hop.decision.http ? [hop.decision.http] : []));

const senderOf = (pod: Pod): Sender => ({ pod });

/** Each connection has another; a machine that is run again takes the same. */
const sourcePort = (machine: string, now: Millis): number => FIRST_EPHEMERAL + (hash32(machine, now) % EPHEMERAL);

const listenersOf = ({ read, network, listenerOf }: NetworkOptions): Listeners => ({
  listenerOf,
  servesApi: ({ metadata }) => servesApi(read, metadata.name ?? ''),
  podsOnHost: (node) => network.book.podsOnHost(node),
  hostServer: (node, port, now, isLocal) => network.hostServer(node, port, now, isLocal),
});

/** Questions for names go the way of all packets. */
const nameNetwork = (
  { read, network, nameServerOf }: NetworkOptions,
  onWay: (from: Pod, way: Way) => void,
): NameNetwork => ({
  read,
  walk(from, address, now) {
    const to = { address, port: DNS_PORT, protocol: 'udp' } as const;
    const way = network.send(senderOf(from), to, sourcePort(from.metadata.uid ?? '', now), now);
    onWay(from, way);
    const { end } = way;
    if ('pod' in end) return { pod: end.pod };
    if ('node' in end) return nameServerOnHost(network.book.podsOnHost(end.node.metadata.name ?? ''));
    if ('outside' in end) return { failure: 'lost' };
    return { failure: failureOf(end.error) };
  },
  serverIn: nameServerOf,
});

/** NodeLocal caches and dnsPolicy Default ask what runs on the node's network. */
const nameServerOnHost = (pods: readonly Pod[]): ReturnType<NameNetwork['walk']> => {
  const pod = pods.find(({ spec }) =>
    spec.containers.some(({ ports }) => ports?.some(({ containerPort }) => containerPort === DNS_PORT)),
  );
  return pod ? { pod } : { failure: 'refused' };
};

/** A datagram that is dropped is never heard of again. */
const failureOf = (error: ErrorCode): 'lost' | 'unreachable' | 'refused' =>
  error === 'ECONNREFUSED' ? 'refused' : error === 'ENETUNREACH' ? 'unreachable' : 'lost';
