import { matchesRule, type Matching } from './match.js';
import type { NftChain, NftTable } from './nft/table.js';
import { walkNftChain, type NftHop, type NftWalker } from './nft/walk.js';
import type { Chain, Hook, Host, Packet, Rule, Table, TableName, Target } from './rule.js';
import type { Ruleset } from './ruleset.js';
import { splitPort } from './translate.js';
import type { Verdict } from './verdict.js';

/** A rule that matched, or the end of a chain that is built in: `rule` is absent. */
export type RuleHop = { readonly table: TableName; readonly chain: string; readonly rule?: Rule } | NftHop;

export interface Walk {
  readonly verdict: Verdict;
  /** As the rules have left it. */
  readonly packet: Packet;
  /** In the order in which they were met. */
  readonly hops: readonly RuleHop[];
  /** Lists of -m recent that the source was put into. */
  readonly recent: readonly string[];
}

/** Linux asks its tables in the order of their priorities. */
const PRIORITIES: Readonly<Record<Exclude<TableName, 'nat'>, number>> = { raw: -300, mangle: -150, filter: 0 };
const priorityOf = (table: TableName, hook: Hook): number => {
  if (table !== 'nat') return PRIORITIES[table];
  return hook === 'PREROUTING' || hook === 'OUTPUT' ? -100 : 100;
};
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
  /** One translation at a hook is enough: what other tables of nat have is not asked. */
  isTranslated: boolean;
}

/**
 * What the rules at a hook make of a packet. `leftOut`: a table that is not asked, as nat is for what was translated
 * before. Models nf_hook_slow and ipt_do_table.
 */
export function walkHook(rules: Ruleset, hook: Hook, packet: Packet, host: Host, leftOut?: TableName): Walk {
  const isTranslated = leftOut === 'nat';
  const counters = { randoms: 0, left: MAX_RULES, isTranslated };
  const walker: Walker = { rules, host, packet, current: [], hops: [], recent: [], ...counters };
  const bases = basesAt(rules.nft, hook);
  let next = 0;
  for (const name of TABLES[hook]) {
    const priority = priorityOf(name, hook);
    for (; rules.nft && next < bases.length && bases[next]!.base!.priority < priority; next++) {
      const verdict = walkBase(walker, rules.nft, bases[next]!);
      if (verdict.type !== 'ACCEPT') return answer(walker, verdict);
    }
    const verdict = name === leftOut ? ACCEPT : walkTable(walker, name, hook);
    if (verdict.type !== 'ACCEPT') return answer(walker, verdict);
  }
  for (; rules.nft && next < bases.length; next++) {
    const verdict = walkBase(walker, rules.nft, bases[next]!);
    if (verdict.type !== 'ACCEPT') return answer(walker, verdict);
  }
  return answer(walker, ACCEPT);
}

const NO_BASES: readonly NftChain[] = [];
const basesAt = (table: NftTable | undefined, hook: Hook): readonly NftChain[] =>
  table?.bases.filter(({ base }) => base?.hook === hook).sort((a, b) => a.base!.priority - b.base!.priority) ??
  NO_BASES;

function walkTable(walker: Walker, name: TableName, hook: Hook): Verdict {
  const table = walker.rules.tables.find((one) => one.name === name);
  const chain = table?.chain(hook);
  if (table === undefined || chain === undefined) return ACCEPT;
  return walkChain(walker, table, chain, 0) ?? endOf(walker, table, chain);
}

/** A chain of nftables that hangs at the hook. */
function walkBase(walker: Walker, table: NftTable, chain: NftChain): Verdict {
  const isNat = chain.base?.type === 'nat';
  if (isNat && walker.isTranslated) return ACCEPT;
  const { host, packet, hops, recent, randoms } = walker;
  const own: NftWalker = { table, host, packet, hops, recent, randoms };
  const verdict = walkNftChain(own, chain);
  walker.isTranslated ||= own.isTranslated === true;
  walker.packet = own.packet;
  walker.randoms = own.randoms;
  return verdict;
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
      walker.isTranslated = true;
      walker.packet = { ...packet, destination, destinationPort };
      return ACCEPT;
    }
    case 'SNAT': {
      const [source, sourcePort] = splitPort(target.to, packet.sourcePort);
      walker.isTranslated = true;
      walker.packet = { ...packet, source, sourcePort };
      return ACCEPT;
    }
    case 'MASQUERADE':
      walker.isTranslated = true;
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
