import { isInPrefix, prefixOf } from './prefix.js';
import type { AddressMatch, Host, Match, NameMatch, Packet, Ports, Rule } from './rule.js';
import type { Ruleset } from './ruleset.js';

/** How a walk comes to its answers. */
export interface Matching {
  readonly rules: Ruleset;
  readonly host: Host;
  /** Random rules that the packet has met. */
  randoms: number;
  /** The rules of the chain that is walked. */
  current: readonly Rule[];
}

/** Whether all that a rule asks for is so. */
export function matchesRule(rule: Rule, packet: Packet, matching: Matching): boolean {
  if (!isAt(rule.destination, packet.destination) || !isAt(rule.source, packet.source)) return false;
  if (rule.protocol && (rule.protocol.name === packet.protocol) === (rule.protocol.isNot ?? false)) return false;
  if (!isNamed(rule.input, packet.input) || !isNamed(rule.output, packet.output)) return false;
  for (const match of rule.matches) if (!isMet(match, packet, matching)) return false;
  return true;
}

const isAt = (match: AddressMatch | undefined, address: string): boolean =>
  match === undefined || isInPrefix(match.prefix, address) !== (match.isNot ?? false);

/** A '+' at the end of an interface's name stands for any rest. */
function isNamed(match: NameMatch | undefined, name: string | undefined): boolean {
  if (match === undefined) return true;
  const { name: wanted, isNot = false } = match;
  const isSame = wanted.endsWith('+') ? (name ?? '').startsWith(wanted.slice(0, -1)) : wanted === name;
  return isSame !== isNot;
}

const isWithin = (ports: Ports | undefined, port: number): boolean =>
  ports === undefined || (port >= ports[0] && port <= ports[1]);

function isMet(match: Match, packet: Packet, matching: Matching): boolean {
  switch (match.type) {
    case 'comment':
      return true;
    case 'tcp':
    case 'udp':
    case 'sctp':
      return (
        packet.protocol === match.type &&
        isWithin(match.dport, packet.destinationPort) &&
        isWithin(match.sport, packet.sourcePort)
      );
    case 'statistic':
      return matching.host.random(packet, matching.randoms++) < match.probability;
    case 'recent':
      return match.mode === 'set' || isRecent(match.name, match.seconds ?? Infinity, packet, matching);
    default:
      return isFound(match, packet, matching) !== (match.isNot ?? false);
  }
}

const isRecent = (name: string, seconds: number, packet: Packet, { host, current }: Matching): boolean =>
  host.isRecent(name, packet, seconds, current.flatMap(listsOf));

const listsOf = ({ matches }: Rule): string[] =>
  matches.flatMap((match) => (match.type === 'recent' && match.mode === 'rcheck' ? [match.name] : []));

type Turnable = Extract<Match, { type: 'multiport' | 'mark' | 'conntrack' | 'addrtype' | 'set' | 'physdev' | 'ipvs' }>;

function isFound(match: Turnable, packet: Packet, { rules, host }: Matching): boolean {
  switch (match.type) {
    case 'multiport': {
      const port = match.side === 'dports' ? packet.destinationPort : packet.sourcePort;
      return match.ports.some((ports) => isWithin(ports, port));
    }
    case 'mark':
      return ((packet.mark & match.mask) ^ match.value) === 0;
    case 'conntrack':
      return match.states.includes(packet.state);
    case 'addrtype':
      return isOfType(match.kind, match.side === 'src' ? packet.source : packet.destination, host);
    case 'set': {
      const set = rules.sets?.get(match.name);
      return set !== undefined && isInSet(set.select?.(packet) ?? set.members(), match.flags, packet);
    }
    case 'physdev':
      // Pods stand behind pairs of their own, not behind a bridge.
      return false;
    case 'ipvs':
      return isOfVirtualServer(packet.virtual, match);
  }
}

const isOfVirtualServer = (virtual: Packet['virtual'], match: Extract<Match, { type: 'ipvs' }>): boolean =>
  virtual?.address === match.address && virtual.port === match.port && virtual.protocol === match.protocol;

const MULTICAST = prefixOf('224.0.0.0/4');

function isOfType(kind: string, address: string, host: Host): boolean {
  if (kind === 'LOCAL') return host.isLocal(address);
  if (kind === 'BROADCAST') return address === '255.255.255.255';
  const isMulticast = isInPrefix(MULTICAST, address);
  if (kind === 'MULTICAST') return isMulticast;
  return !isMulticast && address !== '255.255.255.255' && !host.isLocal(address);
}

/** A member has as many parts as the match has flags; a part of a port may name its protocol. */
function isInSet(members: readonly string[], flags: readonly ('src' | 'dst')[], packet: Packet): boolean {
  return members.some((member) => {
    const parts = member.split(',');
    return parts.length === flags.length && parts.every((part, i) => isPart(part, flags[i]!, packet));
  });
}

function isPart(part: string, side: 'src' | 'dst', packet: Packet): boolean {
  const port = String(side === 'dst' ? packet.destinationPort : packet.sourcePort);
  if (part === port || part === `${packet.protocol}:${port}`) return true;
  if (!part.includes('.') && part.split(':').length < 3) return false;
  return isInPrefix(prefixOf(part), side === 'dst' ? packet.destination : packet.source);
}
