import type { Node, Pod } from '../../../api/core_v1.js';
import type { Passing } from '../../../kernel/conntrack/track.js';
import { chooseServer, listOf, type Packet, type VirtualServer } from '../../../kernel/netfilter/index.js';
import { networkOf } from '../../cni/fabric/index.js';
import type { Millis } from '../../../machinery/time/time.js';
import { joinHostPort } from '../../../machinery/net/netip.js';
import { isSixth, podIPTo, secondIPOf } from '../../dualstack/addresses.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { balanceByAgent } from './balance-by-agent.js';
import type { Hop } from './hop.js';
import { leaveAttached } from './leave-attached.js';
import { listOn, meet, passHook } from './hooks.js';
import { judge } from './judge.js';
import { gatewayOf, vethOf } from '../interfaces/routes.js';
import { findRoute, type NextHop } from '../interfaces/routing.js';
import type { Reached } from './target.js';
import {
  dropped,
  lose,
  nameOfNode,
  nameOfPod,
  noNeighbour,
  refused,
  unreachable,
  type Sending,
  type Walker,
} from './walker.js';
import type { Surroundings } from './world-view.js';

export type { Sender, Sending } from './walker.js';

/** Nodes that one packet passes: with routes in a circle its time to live ends. */
const MAX_NODES = 8;

/** Where a packet comes to, and how. */
export interface Way {
  readonly end: Reached;
  /** The address that the receiver sees. */
  readonly source: string;
  readonly hops: readonly Hop[];
  /** Lists of clients that the sender has come into. */
  readonly visited: readonly string[];
  /** Until the connection is there, where links are slow or lose packets. */
  readonly latency?: Millis;
  /** What the nodes that it has passed make of it. */
  readonly passed: readonly Passing[];
}

/** Walks the first packet of a connection from its sender to where it is delivered, dropped or refused. */
export function walkWay(world: Surroundings, sending: Sending): Way {
  const packet = firstPacket(sending);
  const walker: Walker = { world, sending, hops: [], visited: [], passed: [], packet, came: packet, judged: '' };
  const end = leave(walker);
  const { hops, visited, passed } = walker;
  return { end, source: walker.packet.source, hops, visited, passed };
}

function firstPacket({ from, address, port, protocol, sourcePort }: Sending): Packet {
  const source =
    'outside' in from ? from.outside : 'pod' in from ? podAddress(from.pod, address) : nodeAddress(from.node, address);
  return {
    source,
    destination: address,
    protocol,
    sourcePort,
    destinationPort: port,
    mark: 0,
    state: 'NEW',
  };
}

/** That of the family which it sends to. */
const podAddress = (pod: Pod, to: string): string =>
  loopbackTo(to) ??
  (isSixth(to) ? podIPTo(pod, to) : ((pod.spec.hostNetwork ? pod.status.hostIP : pod.status.podIP) ?? ''));
const nodeAddress = (node: Node, to: string): string =>
  loopbackTo(to) ?? (isSixth(to) ? secondIPOf(node) : internalIPOf(node));
/** What goes to the loopback comes from there. */
const loopbackTo = (to: string): string | undefined => {
  if (to === '::1') return to;
  return to.startsWith('127.') ? '127.0.0.1' : undefined;
};

function leave(walker: Walker): Reached {
  const { world, sending } = walker;
  const { from, address } = sending;
  if ('outside' in from) {
    const node = world.nodeAt(address);
    return node ? receive(walker, node, 'eth0', 0) : lose(walker, 'outside', 'no route', unreachable);
  }
  if ('node' in from) return sendFromHost(walker, from.node);
  const { pod } = from;
  const node = world.nodeOf(pod);
  if (pod.spec.hostNetwork) return sendFromHost(walker, node);
  if (isSixth(address)) return leaveBySecond(walker, pod, node);
  const attached = leaveAttached(walker, pod, node);
  if (attached) return 'enter' in attached ? receive(walker, attached.enter, attached.input, 1) : attached;
  const fabric = world.fabricOf(node);
  const network = fabric && networkOf(world.read, node.metadata.name ?? '');
  const gateway =
    (network && fabric.podRoutes(pod, network, world.read)[0]?.gateway) ?? gatewayOf(podAddress(pod, address));
  const unbacked = fabric?.balances?.(world.read) ? balanceByAgent(walker, node, nameOfPod(pod)) : undefined;
  if (unbacked) return unbacked;
  walker.hops.push({ at: nameOfPod(pod), type: 'route', route: `default via ${gateway} dev eth0` });
  return receive(walker, node, (fabric?.hostEnd ?? vethOf)(pod), 0);
}

/** By IPv6: a pod that has no address of it has no route either. */
function leaveBySecond(walker: Walker, pod: Pod, node: Node): Reached {
  const ip = podIPTo(pod, walker.sending.address);
  if (ip === '') return lose(walker, nameOfPod(pod), 'no route', unreachable);
  const gateway = `${ip.slice(0, ip.lastIndexOf('::'))}::1`;
  walker.hops.push({ at: nameOfPod(pod), type: 'route', route: `default via ${gateway} dev eth0 metric 1024` });
  return receive(walker, node, vethOf(pod), 0);
}

function sendFromHost(walker: Walker, node: Node): Reached {
  const { world } = walker;
  const balances = world.fabricOf(node)?.balances?.(world.read) ?? false;
  const unbacked = balances ? balanceByAgent(walker, node, nameOfNode(node)) : undefined;
  if (unbacked) return unbacked;
  const { packet } = walker;
  walker.came = packet;
  const { ipvs } = meet(walker, node).rules;
  // An address of the host itself is also where its packets to it come from.
  if (ipvs?.isBound(packet.destination)) walker.packet = { ...packet, source: packet.destination };
  const stopped = passHook(walker, node, 'OUTPUT', {});
  if (stopped) return stopped;
  return balance(walker, node, undefined) ?? route(walker, node, true, 0);
}

/** A packet comes to a node by one of its interfaces. */
function receive(walker: Walker, node: Node, input: string, depth: number): Reached {
  if (depth >= MAX_NODES) return lose(walker, nameOfNode(node), 'time to live exceeded', dropped);
  walker.came = walker.packet;
  if (input === 'eth0' && walker.world.fabricOf(node)?.balances?.(walker.world.read)) {
    const unbacked = balanceByAgent(walker, node, nameOfNode(node), input);
    if (unbacked) return unbacked;
  }
  const stopped = passHook(walker, node, 'PREROUTING', { input });
  return stopped ?? balance(walker, node, input, depth) ?? route(walker, node, false, depth, input);
}

/**
 * What IP Virtual Server makes of a packet to an address of the host; undefined: it knows no such service. What comes
 * in passes INPUT before, what the host sends itself does not. Models ip_vs_in_hook.
 */
function balance(walker: Walker, node: Node, input: string | undefined, depth = 0): Reached | undefined {
  const { packet, hops } = walker;
  const { rules, host } = meet(walker, node);
  const server = rules.ipvs?.find(packet);
  if (!server) return undefined;
  const stopped = input === undefined ? undefined : passHook(walker, node, 'INPUT', { input });
  if (stopped) return stopped;
  const at = nameOfNode(node);
  hops.push({ at, type: 'virtual-server', server });
  const real = chooseServer(server, walker.packet, host);
  if (!real) return lose(walker, at, 'the virtual server has no real servers', refused);
  hops.push({ at, type: 'translation', from: endOf(server), to: endOf(real) });
  if (server.persistence !== undefined) walker.visited.push(listOn(node, listOf(server, real)));
  walker.translator = node;
  walker.packet = { ...walker.packet, destination: real.address, destinationPort: real.port };
  const virtual = { address: server.address, protocol: server.protocol, port: server.port };
  const out = passHook(walker, node, 'OUTPUT', {}, virtual);
  return out ?? route(walker, node, true, depth);
}

const endOf = ({ address, port }: Pick<VirtualServer, 'address' | 'port'>): string => joinHostPort(address, port);

function route(walker: Walker, node: Node, isOwn: boolean, depth: number, input?: string): Reached {
  const { world, packet } = walker;
  const isBound = meet(walker, node).rules.ipvs?.isBound(packet.destination);
  const next: NextHop = isBound ? { type: 'local' } : findRoute(world, node, packet.destination);
  if (next.type === 'unreachable') return lose(walker, nameOfNode(node), 'no route', unreachable);
  const judged = judge(walker, node, next);
  if (judged) return judged;
  if (next.type === 'local') return deliverHere(walker, node, isOwn ? 'lo' : input);
  const ways = { ...(input === undefined ? {} : { input }), output: next.device };
  const forwarded = isOwn ? undefined : passHook(walker, node, 'FORWARD', ways);
  if (forwarded) return forwarded;
  walker.hops.push({ at: nameOfNode(node), type: 'route', route: next.route });
  const sent = passHook(walker, node, 'POSTROUTING', { output: next.device });
  if (sent) return sent;
  confirm(walker, node);
  return pass(walker, node, next, depth);
}

/** A connection comes into a node's table when its first packet leaves it, or is taken: nf_conntrack_confirm. */
function confirm({ came, packet, passed }: Walker, { metadata }: Node): void {
  passed.push({ at: metadata.name ?? '', from: endsOf(came), to: endsOf(packet) });
}

const endsOf = ({ source, destination, destinationPort }: Packet): Passing['from'] => ({
  source,
  destination,
  destinationPort,
});

function pass(
  walker: Walker,
  node: Node,
  next: Exclude<NextHop, { type: 'local' | 'unreachable' }>,
  depth: number,
): Reached {
  switch (next.type) {
    case 'pod': {
      const { destination, destinationPort } = walker.packet;
      const lost = loseAnswer(walker, node);
      if (lost) return lost;
      walker.hops.push({ at: nameOfPod(next.pod), type: 'delivery', to: joinHostPort(destination, destinationPort) });
      return { pod: next.pod, port: destinationPort };
    }
    case 'node':
      return receive(walker, next.node, 'eth0', depth + 1);
    case 'nobody':
      return lose(walker, nameOfNode(node), `no host has ${walker.packet.destination}`, noNeighbour);
    case 'lost':
      return lose(walker, nameOfNode(node), 'nothing answers', dropped);
    case 'outside':
      return { outside: walker.packet.destination, port: walker.packet.destinationPort };
  }
}

function deliverHere(walker: Walker, node: Node, input: string | undefined): Reached {
  const stopped = passHook(walker, node, 'INPUT', input === undefined ? {} : { input });
  if (stopped) return stopped;
  confirm(walker, node);
  const lost = loseAnswer(walker, node);
  if (lost) return lost;
  const { destination, destinationPort: port } = walker.packet;
  walker.hops.push({ at: nameOfNode(node), type: 'delivery', to: joinHostPort(destination, port) });
  return { node, port };
}

/**
 * An answer has to come back by the node that has translated the destination, or the sender knows nothing of who
 * answers it. Undefined: it does.
 */
function loseAnswer(walker: Walker, node: Node): Reached | undefined {
  const { world, translator, packet, sending } = walker;
  if (!translator || translator.metadata.name === node.metadata.name) return undefined;
  const { from, address } = sending;
  // Of a pod that is just being started nothing is stored yet.
  const isOwn = 'pod' in from && podAddress(from.pod, address) === packet.source;
  const pod = isOwn ? from.pod : world.podAt(packet.source);
  const back = pod ? world.nodeOf(pod) : world.nodeAt(packet.source);
  if (back?.metadata.name === translator.metadata.name) return undefined;
  return lose(walker, nameOfNode(node), `answers do not come back by ${nameOfNode(translator)}`, dropped);
}
