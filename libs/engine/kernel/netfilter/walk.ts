import { matchesRule, type Matching } from './match.js';
import type { Chain, Hook, Host, Packet, RejectWith, Rule, Ruleset, Table, TableName, Target } from './rule.js';

/** A rule that matched, or the end of a chain that is built in: `rule` is absent. */
export interface RuleHop {
  readonly table: TableName;
  readonly chain: string;
  readonly rule?: Rule;
}

export type Verdict =
  { readonly type: 'ACCEPT' } | { readonly type: 'DROP' } | { readonly type: 'REJECT'; readonly with: RejectWith };

export interface Walk {
  readonly verdict: Verdict;
  /** As the rules have left it. */
  readonly packet: Packet;
  /** In the order in which they were met. */
  readonly hops: readonly RuleHop[];
  /** Lists of -m recent that the source was put into. */
  readonly recent: readonly string[];
}

/** Linux asks its tables in this order. */
const TABLES: Readonly<Record<Hook, readonly TableName[]>> = {
  PREROUTING: ['raw', 'mangle', 'nat'],
  INPUT: ['mangle', 'filter', 'nat'],
  FORWARD: ['mangle', 'filter'],
  OUTPUT: ['raw', 'mangle', 'nat', 'filter'],
  POSTROUTING: ['mangle', 'nat'],
};
/** Rules that one packet may meet at one hook: with chains that jump in a circle it is dropped. */
const MAX_RULES = 500_000;
/** Linux refuses deeper jumps. */
const MAX_DEPTH = 64;
const ACCEPT: Verdict = { type: 'ACCEPT' };
const DROP: Verdict = { type: 'DROP' };

interface Walker extends Matching {
  packet: Packet;
  left: number;
  readonly hops: RuleHop[];
  readonly recent: string[];
}

/** What the rules at a hook make of a packet. Models nf_hook_slow and ipt_do_table. */
export function walkHook(rules: Ruleset, hook: Hook, packet: Packet, host: Host): Walk {
  const walker: Walker = { rules, host, randoms: 0, current: [], packet, left: MAX_RULES, hops: [], recent: [] };
  for (const name of TABLES[hook]) {
    const table = rules.tables.find((one) => one.name === name);
    const chain = table?.chain(hook);
    if (table === undefined || chain === undefined) continue;
    const verdict = walkChain(walker, table, chain, 0) ?? endOf(walker, table, chain);
    if (verdict.type !== 'ACCEPT') return answer(walker, verdict);
  }
  return answer(walker, ACCEPT);
}

const answer = ({ packet, hops, recent }: Walker, verdict: Verdict): Walk => ({ verdict, packet, hops, recent });

function endOf({ hops }: Walker, table: Table, chain: Chain): Verdict {
  if (chain.policy !== 'DROP') return ACCEPT;
  hops.push({ table: table.name, chain: chain.name });
  return DROP;
}

/** Undefined: no rule has decided. */
function walkChain(walker: Walker, table: Table, chain: Chain, depth: number): Verdict | undefined {
  if (depth > MAX_DEPTH) return DROP;
  const rules = chain.select?.(walker.packet) ?? chain.rules();
  for (const rule of rules) {
    if (--walker.left < 0) return DROP;
    walker.current = rules;
    if (!matchesRule(rule, walker.packet, walker)) continue;
    walker.hops.push({ table: table.name, chain: chain.name, rule });
    noteRecent(walker, rule);
    const { target } = rule;
    if (target === undefined) continue;
    if (target.type === 'RETURN') return undefined;
    const verdict = target.type === 'jump' ? jump(walker, table, target.chain, depth) : act(walker, target);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

function jump(walker: Walker, table: Table, name: string, depth: number): Verdict | undefined {
  const chain = table.chain(name);
  return chain && walkChain(walker, table, chain, depth + 1);
}

function noteRecent({ recent }: Walker, { matches }: Rule): void {
  for (const match of matches) if (match.type === 'recent' && match.mode === 'set') recent.push(match.name);
}

function act(walker: Walker, target: Exclude<Target, { type: 'jump' }>): Verdict | undefined {
  const { packet, host } = walker;
  switch (target.type) {
    case 'MARK':
      walker.packet = { ...packet, mark: ((packet.mark & ~target.mask) ^ target.value) >>> 0 };
      return undefined;
    case 'DNAT': {
      const [destination, destinationPort] = splitPort(target.to, packet.destinationPort);
      walker.packet = { ...packet, destination, destinationPort };
      return ACCEPT;
    }
    case 'SNAT': {
      const [source, sourcePort] = splitPort(target.to, packet.sourcePort);
      walker.packet = { ...packet, source, sourcePort };
      return ACCEPT;
    }
    case 'MASQUERADE':
      walker.packet = { ...packet, source: host.masqueradeAs(packet) };
      return ACCEPT;
    case 'REJECT':
      return { type: 'REJECT', with: target.with };
    case 'DROP':
      return DROP;
    default:
      return ACCEPT;
  }
}

/** '10.0.0.1:80', '10.0.0.1', '[fd00::1]:80'. */
function splitPort(to: string, port: number): readonly [string, number] {
  if (to.startsWith('[')) {
    const end = to.indexOf(']');
    return [to.slice(1, end), to[end + 1] === ':' ? Number(to.slice(end + 2)) : port];
  }
  const colon = to.indexOf(':');
  if (colon < 0 || colon !== to.lastIndexOf(':')) return [to, port];
  return [to.slice(0, colon), Number(to.slice(colon + 1))];
}
