import type { Node, Pod } from '../../api/core_v1.js';
import {
  chooseServer,
  walkHook,
  type Hook,
  type Host,
  type Packet,
  type Protocol,
  type RuleHop,
  type VirtualServer,
} from '../../kernel/netfilter/index.js';
import { hash32 } from '../../machinery/random.js';
import type { Millis } from '../../machinery/time/time.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { networkOf } from '../cni/fabric/index.js';
import type { Party } from '../policy/index.js';
import type { Hop } from './hop.js';
import { isBound } from './recent.js';
import { gatewayOf, vethOf } from './routes.js';
import { findRoute, type NextHop } from './routing.js';
import { CONNECT_TIMEOUT, NEIGHBOUR_TIMEOUT, type Reached } from './target.js';
import type { Surroundings } from './world-view.js';

/** Nodes that one packet passes: with routes in a circle its time to live ends. */
const MAX_NODES = 8;

/** Who sends. A pod on its node's network is its node. */
export type Sender = { readonly pod: Pod } | { readonly node: Node } | { readonly outside: string };

export interface Sending {
  readonly from: Sender;
  readonly address: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** Tells flows of the same ends apart: the source's port. */
  readonly sourcePort: number;
  readonly now: Millis;
}

/** Where a packet comes to, and how. */
export interface Way {
  readonly end: Reached;
  /** The address that the receiver sees. */
  readonly source: string;
  readonly hops: readonly Hop[];
}

interface Walker {
  readonly world: Surroundings;
  readonly sending: Sending;
  readonly hops: Hop[];
  packet: Packet;
  /** What policies were last asked about. */
  judged: string;
  /** The node that has changed the destination, and must see the answers. */
  translator?: Node;
}

/** Walks the first packet of a connection from its sender to where it is delivered, dropped or refused. */
export function walkWay(world: Surroundings, sending: Sending): Way {
  const walker: Walker = { world, sending, hops: [], packet: firstPacket(sending), judged: '' };
  const end = leave(walker);
  return { end, source: walker.packet.source, hops: walker.hops };
}

function firstPacket({ from, address, port, protocol, sourcePort }: Sending): Packet {
  const source = 'outside' in from ? from.outside : 'pod' in from ? podAddress(from.pod) : internalIPOf(from.node);
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

const podAddress = ({ spec, status }: Pod): string => (spec.hostNetwork ? status.hostIP : status.podIP) ?? '';

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
  const fabric = world.fabricOf(node);
  const network = fabric && networkOf(world.read, node.metadata.name ?? '');
  const gateway = (network && fabric.podRoutes(pod, network)[0]?.gateway) ?? gatewayOf(podAddress(pod));
  walker.hops.push({ at: nameOfPod(pod), type: 'route', route: `default via ${gateway} dev eth0` });
  return receive(walker, node, (fabric?.hostEnd ?? vethOf)(pod), 0);
}

const unreachable: Reached = { error: 'ENETUNREACH', after: 0 };
const refused: Reached = { error: 'ECONNREFUSED', after: 0 };
const dropped: Reached = { error: 'ETIMEDOUT', after: CONNECT_TIMEOUT };
const noNeighbour: Reached = { error: 'EHOSTUNREACH', after: NEIGHBOUR_TIMEOUT };

const nameOfPod = ({ metadata }: Pod): string => `pod ${metadata.namespace}/${metadata.name}`;
const nameOfNode = ({ metadata }: Node): string => `node ${metadata.name}`;

function lose({ hops }: Walker, at: string, reason: string, end: Reached): Reached {
  hops.push({ at, type: 'loss', reason });
  return end;
}

function sendFromHost(walker: Walker, node: Node): Reached {
  const { world, packet, sending } = walker;
  const { ipvs } = world.rulesOf(node, sending.now);
  // An address of the host itself is also where its packets to it come from.
  if (ipvs?.isBound(packet.destination)) walker.packet = { ...packet, source: packet.destination };
  const stopped = passHook(walker, node, 'OUTPUT', {});
  if (stopped) return stopped;
  return balance(walker, node, undefined) ?? route(walker, node, true, 0);
}

/** A packet comes to a node by one of its interfaces. */
function receive(walker: Walker, node: Node, input: string, depth: number): Reached {
  if (depth >= MAX_NODES) return lose(walker, nameOfNode(node), 'time to live exceeded', dropped);
  const stopped = passHook(walker, node, 'PREROUTING', { input });
  return stopped ?? balance(walker, node, input, depth) ?? route(walker, node, false, depth, input);
}

/**
 * What IP Virtual Server makes of a packet to an address of the host; undefined: it knows no such service. What comes
 * in passes INPUT before, what the host sends itself does not. Models ip_vs_in_hook.
 */
function balance(walker: Walker, node: Node, input: string | undefined, depth = 0): Reached | undefined {
  const { world, packet, sending, hops } = walker;
  const server = world.rulesOf(node, sending.now).ipvs?.find(packet);
  if (!server) return undefined;
  const stopped = input === undefined ? undefined : passHook(walker, node, 'INPUT', { input });
  if (stopped) return stopped;
  const at = nameOfNode(node);
  hops.push({ at, type: 'virtual-server', server });
  const real = chooseServer(server, walker.packet, hostOf(walker, node));
  if (!real) return lose(walker, at, 'the virtual server has no real servers', refused);
  hops.push({ at, type: 'translation', from: endOf(server), to: endOf(real) });
  walker.translator = node;
  walker.packet = { ...walker.packet, destination: real.address, destinationPort: real.port };
  const virtual = { address: server.address, protocol: server.protocol, port: server.port };
  const out = passHook(walker, node, 'OUTPUT', {}, virtual);
  return out ?? route(walker, node, true, depth);
}

const endOf = ({ address, port }: Pick<VirtualServer, 'address' | 'port'>): string => `${address}:${port}`;

function route(walker: Walker, node: Node, isOwn: boolean, depth: number, input?: string): Reached {
  const { world, packet, sending } = walker;
  const isBound = world.rulesOf(node, sending.now).ipvs?.isBound(packet.destination);
  const next: NextHop = isBound ? { type: 'local' } : findRoute(world, node, packet.destination);
  const judged = judge(walker, node, next);
  if (judged) return judged;
  if (next.type === 'local') return deliverHere(walker, node, isOwn ? 'lo' : input);
  const ways = { ...(input === undefined ? {} : { input }), output: next.device };
  const forwarded = isOwn ? undefined : passHook(walker, node, 'FORWARD', ways);
  if (forwarded) return forwarded;
  walker.hops.push({ at: nameOfNode(node), type: 'route', route: next.route });
  const sent = passHook(walker, node, 'POSTROUTING', { output: next.device });
  return sent ?? pass(walker, node, next, depth);
}

function pass(walker: Walker, node: Node, next: Exclude<NextHop, { type: 'local' }>, depth: number): Reached {
  switch (next.type) {
    case 'pod': {
      const { destination, destinationPort } = walker.packet;
      const lost = loseAnswer(walker, node);
      if (lost) return lost;
      walker.hops.push({ at: nameOfPod(next.pod), type: 'delivery', to: `${destination}:${destinationPort}` });
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
  const lost = loseAnswer(walker, node);
  if (lost) return lost;
  const { destination, destinationPort: port } = walker.packet;
  walker.hops.push({ at: nameOfNode(node), type: 'delivery', to: `${destination}:${port}` });
  return { node, port };
}

/**
 * An answer has to come back by the node that has translated the destination, or the sender knows nothing of who
 * answers it. Undefined: it does.
 */
function loseAnswer(walker: Walker, node: Node): Reached | undefined {
  const { world, translator, packet } = walker;
  if (!translator || translator.metadata.name === node.metadata.name) return undefined;
  const pod = world.podAt(packet.source);
  const back = pod ? world.nodeOf(pod) : world.nodeAt(packet.source);
  if (back?.metadata.name === translator.metadata.name) return undefined;
  return lose(walker, nameOfNode(node), `answers do not come back by ${nameOfNode(translator)}`, dropped);
}

/** Undefined: the packet goes on. `virtual`: nat has translated it, and is not asked again. */
function passHook(
  walker: Walker,
  node: Node,
  hook: Hook,
  ways: { readonly input?: string; readonly output?: string },
  virtual?: Packet['virtual'],
): Reached | undefined {
  const { world, hops, sending } = walker;
  const { input: _in, output: _out, virtual: _virtual, ...bare } = walker.packet;
  const before = walker.packet;
  const sent = { ...bare, ...ways, ...(virtual ? { virtual } : {}) };
  const leftOut = virtual ? 'nat' : undefined;
  const walk = walkHook(world.rulesOf(node, sending.now), hook, sent, hostOf(walker, node), leftOut);
  const at = nameOfNode(node);
  for (const hop of walk.hops) hops.push(hopOf(at, hop));
  walker.packet = walk.packet;
  if (before.destination !== walk.packet.destination || before.destinationPort !== walk.packet.destinationPort) {
    walker.translator = node;
    hops.push({
      at,
      type: 'translation',
      from: `${before.destination}:${before.destinationPort}`,
      to: `${walk.packet.destination}:${walk.packet.destinationPort}`,
    });
  }
  if (before.source !== walk.packet.source)
    hops.push({ at, type: 'translation', from: before.source, to: walk.packet.source });
  if (walk.verdict.type === 'ACCEPT') return undefined;
  return walk.verdict.type === 'DROP' ? dropped : refused;
}

const hopOf = (at: string, hop: RuleHop): Hop =>
  'nft' in hop
    ? { at, type: 'nft', table: hop.table, chain: hop.chain, rule: hop.nft }
    : { at, type: 'rule', table: hop.table, chain: hop.chain, rule: hop.rule };

/** A node's answers to its rules. */
function hostOf({ sending, world }: Walker, node: Node): Host {
  const own = internalIPOf(node);
  const fabric = world.fabricOf(node);
  return {
    isLocal: (address) =>
      address === own ||
      address.startsWith('127.') ||
      (fabric ? findRoute(world, node, address).type === 'local' : address === gatewayOf(node.spec?.podCIDR ?? '')),
    random: ({ source, destination, destinationPort }, n) =>
      hash32(`${source}/${destination}:${destinationPort}/${sending.sourcePort}`, n + 1) / 2 ** 32,
    isRecent: (name, { source }, _seconds, lists) => isBound(name, source, lists),
    masqueradeAs: ({ output }) =>
      fabric
        ? (fabric.addressOn(output ?? '', node, world.read) ?? own)
        : output?.startsWith('veth')
          ? gatewayOf(node.spec?.podCIDR ?? '')
          : own,
  };
}

/** Policies see a packet when its destination is known, and again after its source has changed. */
function judge(walker: Walker, node: Node, next: NextHop): Reached | undefined {
  const { world, packet, hops } = walker;
  const { source, destination, destinationPort: port, protocol } = packet;
  const ends = `${source} ${destination}:${port}`;
  if (walker.judged === ends || next.type === 'lost' || protocol === 'icmp') return undefined;
  walker.judged = ends;
  const verdict = world.judge({
    source: partyAt(world, source),
    destination: partyAt(world, destination),
    port,
    protocol: protocol.toUpperCase() as 'TCP' | 'UDP' | 'SCTP',
  });
  for (const decision of verdict.decisions) hops.push({ at: nameOfNode(node), type: 'policy', decision });
  return verdict.allowed ? undefined : dropped;
}

function partyAt(world: Surroundings, ip: string): Party {
  const pod = world.podAt(ip);
  if (pod) return { ip, pod };
  const name = world.nodeAt(ip)?.metadata.name;
  return name === undefined ? { ip } : { ip, node: name };
}
