import type { Node } from '../../../api/core_v1.js';
import { walkHook, type Hook, type Host, type Packet, type RuleHop } from '../../../kernel/netfilter/index.js';
import { hash32 } from '../../../machinery/random.js';
import { joinHostPort } from '../../../machinery/net/netip.js';
import { isSixth, secondGatewayOf, secondIPOf, secondRangeOf } from '../../dualstack/addresses.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import type { Hop } from './hop.js';
import { isBound, isFresh } from '../tracks/recent.js';
import { gatewayOf } from '../interfaces/routes.js';
import { findRoute } from '../interfaces/routing.js';
import type { Reached } from './target.js';
import { dropped, nameOfNode, refused, type Walker } from './walker.js';

/** Undefined: the packet goes on. `virtual`: nat has translated it, and is not asked again. */
export function passHook(
  walker: Walker,
  node: Node,
  hook: Hook,
  ways: { readonly input?: string; readonly output?: string },
  virtual?: Packet['virtual'],
): Reached | undefined {
  const { hops, packet: before } = walker;
  const { rules, host } = meet(walker, node);
  const sent = { ...before, input: ways.input, output: ways.output, virtual };
  const walk = walkHook(rules, hook, sent, host, virtual ? 'nat' : undefined);
  const at = nameOfNode(node);
  for (const hop of walk.hops) hops.push(hopOf(at, hop));
  for (const list of walk.recent) walker.visited.push(listOn(node, list));
  walker.packet = walk.packet;
  if (before.destination !== walk.packet.destination || before.destinationPort !== walk.packet.destinationPort) {
    walker.translator = node;
    hops.push({
      at,
      type: 'translation',
      from: joinHostPort(before.destination, before.destinationPort),
      to: joinHostPort(walk.packet.destination, walk.packet.destinationPort),
    });
  }
  if (before.source !== walk.packet.source)
    hops.push({ at, type: 'translation', from: before.source, to: walk.packet.source });
  if (walk.verdict.type === 'ACCEPT') return undefined;
  return walk.verdict.type === 'DROP' ? dropped : refused;
}

/** Each node has lists of its own. */
export const listOn = ({ metadata }: Node, list: string): string => `${metadata.name}/${list}`;

const hopOf = (at: string, hop: RuleHop): Hop =>
  'nft' in hop
    ? { at, type: 'nft', table: hop.table, chain: hop.chain, rule: hop.nft }
    : { at, type: 'rule', table: hop.table, chain: hop.chain, rule: hop.rule };

/** A node's rules, and its answers to them. */
export function meet(walker: Walker, node: Node): NonNullable<Walker['met']> {
  if (walker.met?.node === node) return walker.met;
  const { world, sending } = walker;
  return (walker.met = {
    node,
    rules: world.rulesOf(node, sending.now, isSixth(walker.packet.destination)),
    host: hostOf(walker, node),
  });
}

function hostOf({ sending, world }: Walker, node: Node): Host {
  const { visits, now } = sending;
  const is6 = isSixth(sending.address);
  const own = is6 ? secondIPOf(node) : internalIPOf(node);
  const gateway = is6 ? gateway6Of(node) : gatewayOf(node.spec?.podCIDR ?? '');
  const fabric = world.fabricOf(node);
  return {
    isLocal: (address) =>
      address === own ||
      address.startsWith('127.') ||
      address === '::1' ||
      (fabric ? findRoute(world, node, address).type === 'local' : address === gateway),
    random: ({ source, destination, destinationPort }, n) =>
      hash32(`${source}/${destination}:${destinationPort}/${sending.sourcePort}`, n + 1) / 2 ** 32,
    isRecent: (name, { source }, seconds, lists) =>
      visits ? isFresh(visits.get(listOn(node, name)), seconds, now) : isBound(name, source, lists),
    masqueradeAs: ({ output }) =>
      fabric && !is6
        ? (fabric.addressOn(output ?? '', node, world.read) ?? own)
        : output?.startsWith('veth')
          ? gateway
          : own,
  };
}

const gateway6Of = (node: Node): string => {
  const range = secondRangeOf(node);
  return range === undefined ? '' : secondGatewayOf(range);
};
