import { isInPrefix } from '../prefix.js';
import { splitPort } from '../translate.js';
import type { Host, Packet } from '../rule.js';
import type { Verdict } from '../verdict.js';
import type { NftChain, NftRule, NftStatement, NftTable, NftVerdict } from './table.js';

/** Rules of one chain that a packet may meet through jumps, before it is dropped. */
const MAX_RULES = 100_000;
/** NFT_JUMP_STACK_SIZE. */
const MAX_DEPTH = 16;
const DROP: Verdict = { type: 'DROP' };
const ACCEPT: Verdict = { type: 'ACCEPT' };
/** What `reject` alone means for IPv4. */
const REJECT: Verdict = { type: 'REJECT', with: 'icmp-port-unreachable' };

/** A rule of nftables whose matches were all met. */
export interface NftHop {
  readonly table: string;
  readonly chain: string;
  readonly nft: NftRule;
}

export interface NftWalker {
  readonly table: NftTable;
  readonly host: Host;
  readonly hops: { push(hop: NftHop): unknown };
  readonly recent: string[];
  packet: Packet;
  randoms: number;
  /** A rule has set where the packet goes, or where it comes from, be it the same as before. */
  isTranslated?: boolean;
  left?: number;
}

/** How a chain ends: undefined goes on where it was called, 'return' ends the chain. */
type End = Verdict | 'return' | undefined;

/** What one base chain makes of a packet. Models net/netfilter/nf_tables_core.c nft_do_chain. */
export function walkNftChain(walker: NftWalker, chain: NftChain): Verdict {
  walker.left ??= MAX_RULES;
  const end = walkChain(walker, chain, 0);
  return typeof end === 'object' ? end : ACCEPT;
}

function walkChain(walker: NftWalker, chain: NftChain, depth: number): End {
  if (depth > MAX_DEPTH) return DROP;
  for (const rule of chain.rules) {
    if (--walker.left! < 0) return DROP;
    const end = walkRule(walker, chain, rule, depth);
    if (end === 'return') return undefined;
    if (end !== undefined) return end;
  }
  return undefined;
}

function walkRule(walker: NftWalker, chain: NftChain, rule: NftRule, depth: number): End {
  const { table, hops } = walker;
  const hop: NftHop = { table: table.name, chain: chain.name, nft: rule };
  let isNoted = false;
  for (const statement of rule.statements) {
    if (!isMet(walker, chain, statement)) return undefined;
    const decision = decide(walker, statement);
    if (decision === 'match') continue;
    if (decision === undefined) return undefined;
    if (!isNoted) hops.push(hop);
    isNoted = true;
    if (decision === 'done') continue;
    return 'chain' in decision ? follow(walker, decision, depth) : END_OF[decision.type];
  }
  if (!isNoted) hops.push(hop);
  return undefined;
}

const END_OF: Readonly<Record<'accept' | 'drop' | 'reject' | 'return', End>> = {
  ...{ accept: ACCEPT, drop: DROP, reject: REJECT, return: 'return' },
};

/** What a statement comes to: 'match' was met, 'done' has acted, undefined: no element of its map fits. */
function decide(walker: NftWalker, statement: NftStatement): NftVerdict | 'match' | 'done' | undefined {
  switch (statement.type) {
    case 'verdict':
      return statement.verdict;
    case 'vmap':
      return walker.table.map(statement.map)?.find(walker.packet)?.verdict;
    case 'random': {
      const { verdicts } = statement;
      return verdicts[Math.floor(walker.host.random(walker.packet, walker.randoms++) * verdicts.length)];
    }
    case 'mark':
    case 'update':
    case 'dnat':
    case 'masquerade':
      return act(walker, statement);
    default:
      return 'match';
  }
}

/** What a goto leads to comes back to the caller of this chain. */
function follow(walker: NftWalker, verdict: Extract<NftVerdict, { chain: string }>, depth: number): End {
  const chain = walker.table.chain(verdict.chain);
  const end = chain && walkChain(walker, chain, depth + 1);
  return end ?? (verdict.type === 'goto' ? 'return' : undefined);
}

function isMet({ table, packet, host }: NftWalker, chain: NftChain, statement: NftStatement): boolean {
  switch (statement.type) {
    case 'address': {
      const address = addressOf(packet, statement.field);
      return statement.prefixes.some((prefix) => isInPrefix(prefix, address)) !== (statement.isNot ?? false);
    }
    case 'lookup': {
      const { set, field, seconds } = statement;
      if (seconds !== undefined) return host.isRecent(set, packet, seconds, listsOf(chain));
      return table.set(set)?.has(addressOf(packet, field)) ?? false;
    }
    case 'protocol':
      return packet.protocol === statement.protocol;
    case 'state':
      return packet.state === 'NEW';
    case 'fib':
      return host.isLocal(statement.side === 'saddr' ? packet.source : packet.destination);
    case 'unmarked':
      return (packet.mark & statement.mask) === 0;
    default:
      return true;
  }
}

const addressOf = (packet: Packet, field: 'ip saddr' | 'ip daddr'): string =>
  field === 'ip saddr' ? packet.source : packet.destination;

/** All sets of recent clients that a chain asks. */
const listsOf = ({ rules }: NftChain): string[] =>
  rules.flatMap(({ statements }) =>
    statements.flatMap((one) => (one.type === 'lookup' && one.seconds !== undefined ? [one.set] : [])),
  );

type Action = Extract<NftStatement, { type: 'mark' | 'update' | 'dnat' | 'masquerade' }>;

/** A translation ends the chain. */
function act(walker: NftWalker, statement: Action): NftVerdict | 'done' {
  const { packet, host } = walker;
  switch (statement.type) {
    case 'mark': {
      const { operation, value } = statement;
      walker.packet = { ...packet, mark: (operation === '|' ? packet.mark | value : packet.mark ^ value) >>> 0 };
      return 'done';
    }
    case 'update':
      walker.recent.push(statement.set);
      return 'done';
    case 'dnat': {
      const [destination, destinationPort] = splitPort(statement.to, packet.destinationPort);
      walker.isTranslated = true;
      walker.packet = { ...packet, destination, destinationPort };
      return ACCEPTED;
    }
    case 'masquerade':
      walker.isTranslated = true;
      walker.packet = { ...packet, source: host.masqueradeAs(packet) };
      return ACCEPTED;
  }
}

const ACCEPTED: NftVerdict = { type: 'accept' };
