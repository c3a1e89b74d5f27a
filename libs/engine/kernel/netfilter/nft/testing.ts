/**
 * An interpreter of `nft list ruleset` for the specs. It reads the text and shares nothing with the walk: a rule that
 * is printed wrongly is judged wrongly.
 */
import type { Host, Packet } from '../rule.js';
import { isInCidr } from '../sets/testing.js';

/** A packet on its way through what was read. */
export interface Judging {
  readonly host: Host;
  packet: Packet;
  randoms: number;
  isTranslated: boolean;
}

interface SavedChain {
  readonly hook?: string;
  readonly priority: number;
  readonly isNat: boolean;
  readonly rules: readonly string[];
}

export interface SavedNft {
  readonly sets: ReadonlyMap<string, readonly string[]>;
  readonly timeouts: ReadonlyMap<string, number>;
  readonly maps: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly chains: ReadonlyMap<string, SavedChain>;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
const NAMED: Readonly<Record<string, number>> = { filter: 0, dstnat: -100, srcnat: 100 };

/** The sets, maps and chains of one table. */
export function readNft(text: string): SavedNft {
  const [sets, timeouts] = [new Map<string, string[]>(), new Map<string, number>()];
  const [maps, chains] = [new Map<string, Map<string, string>>(), new Map<string, SavedChain>()];
  for (const [, what, name = '', body = ''] of text.matchAll(/^\t(set|map|chain) (\S+) \{\n([^]*?)^\t\}$/gm)) {
    const elements = /elements = \{ ([^]*?) \}/.exec(body)?.[1]?.split(/,\s+/) ?? [];
    if (what === 'set') sets.set(name, elements);
    if (what === 'map') maps.set(name, new Map(elements.map(readElement)));
    if (what === 'chain') chains.set(name, readChain(body));
    const timeout = /timeout ((?:\d+[dhms])+)$/m.exec(body)?.[1];
    if (timeout) timeouts.set(name, secondsOf(timeout));
  }
  return { sets, timeouts, maps, chains };
}

const secondsOf = (text: string): number =>
  text.split(/(?<=[dhms])/).reduce((sum, part) => sum + Number.parseInt(part, 10) * UNITS[part.at(-1)!]!, 0);

function readElement(text: string): [string, string] {
  const [, key = '', verdict = ''] = /^(.*?)(?: comment "[^"]*")? : (.*)$/.exec(text) ?? [];
  return [key, verdict];
}

function readChain(body: string): SavedChain {
  const lines = body.split('\n').map((line) => line.trim());
  const rules = lines.filter((line) => line !== '' && !/^(?:type|comment) /.test(line));
  const found = /^type (\w+) hook (\w+) priority (\S+)(?: ([+-]) (\d+))?; policy accept;$/m.exec(lines.join('\n'));
  if (!found) return { rules, priority: 0, isNat: false };
  const [, type, hook, at = '', sign, by] = found;
  const priority = (NAMED[at] ?? Number(at)) + (by === undefined ? 0 : Number(`${sign}${by}`));
  return { rules, hook: hook!.toUpperCase(), priority, isNat: type === 'nat' };
}

/** What a chain makes of a packet: 'accept', 'drop', 'reject', or undefined: it goes on. */
export function runNft(table: SavedNft, name: string, state: Judging): string | undefined {
  const { rules } = table.chains.get(name)!;
  for (const rule of rules) {
    const end = judgeNft(table, rule, state, rules);
    if (end === undefined) continue;
    const [verb, chain = ''] = end.split(' ');
    if (verb === 'return') return undefined;
    if (verb !== 'jump' && verb !== 'goto') return verb;
    const verdict = runNft(table, chain, state);
    if (verdict !== undefined || verb === 'goto') return verdict;
  }
  return undefined;
}

type Judge = (words: RegExpExecArray, table: SavedNft, state: Judging, rules: readonly string[]) => boolean | string;

const addressOf = ({ packet }: Judging, side: string): string =>
  side === 'saddr' ? packet.source : packet.destination;
const bits = (value: number): number => value >>> 0;

/** The parts of a rule, in the order in which they are tried. A text is a verdict, false: not met, true: goes on. */
const PARTS: readonly (readonly [RegExp, Judge])[] = [
  [/comment "[^"]*"/y, () => true],
  [
    /((?:ip [sd]addr|meta l4proto|th dport)(?: \. (?:meta l4proto|th dport))*) vmap @(\S+)/y,
    ([, fields = '', map = ''], { maps }, { packet }) => {
      const values: Record<string, string> = {
        ...{ 'ip saddr': packet.source, 'ip daddr': packet.destination },
        ...{ 'meta l4proto': packet.protocol, 'th dport': String(packet.destinationPort) },
      };
      const key = fields.split(' . ').map((field) => values[field]);
      return maps.get(map)!.get(key.join(' . ')) ?? false;
    },
  ],
  [
    /ip ([sd]addr) @(\S+)/y,
    ([, side = '', name = ''], { sets, timeouts }, state, rules) => {
      const seconds = timeouts.get(name);
      if (seconds === undefined) return sets.get(name)!.includes(addressOf(state, side));
      const lists = rules.flatMap((rule) => /^ip saddr @(affinity-\S+)/.exec(rule)?.[1] ?? []);
      return state.host.isRecent(name, state.packet, seconds, lists);
    },
  ],
  [
    /ip ([sd]addr) (!= )?(?:\{ ([^}]*) \}|(\S+))/y,
    ([, side = '', not, many, one = ''], _table, state) =>
      (many ?? one).split(', ').some((cidr) => isInCidr(cidr, addressOf(state, side))) === (not === undefined),
  ],
  [/meta l4proto (\w+)/y, ([, name], _table, { packet }) => packet.protocol === name],
  [/ct state new/y, (_words, _table, { packet }) => packet.state === 'NEW'],
  [/fib ([sd]addr) type local/y, ([, side = ''], _table, state) => state.host.isLocal(addressOf(state, side))],
  [/meta mark & (\S+) == 0x0+/y, ([, mask], _table, { packet }) => bits(packet.mark & Number(mask)) === 0],
  [
    /meta mark set meta mark ([|^]) (\S+)/y,
    ([, operation, value], _table, state) => {
      const { packet } = state;
      const mark = operation === '|' ? packet.mark | Number(value) : packet.mark ^ Number(value);
      state.packet = { ...packet, mark: bits(mark) };
      return true;
    },
  ],
  [
    /numgen random mod (\d+) vmap \{ ([^}]*) \}/y,
    ([, count, list = ''], _table, { packet, host, ...rest }) => {
      const chosen = Math.floor(host.random(packet, rest.randoms) * Number(count));
      return list
        .split(', ')
        .find((one) => one.startsWith(`${chosen} : `))!
        .slice(`${chosen} : `.length);
    },
  ],
  [/update @\S+ \{ ip saddr \}/y, () => true],
  [
    /dnat to ([\d.]+):(\d+)/y,
    ([, destination = '', port], _table, state) => {
      state.isTranslated = true;
      state.packet = { ...state.packet, destination, destinationPort: Number(port) };
      return 'accept';
    },
  ],
  [
    /masquerade fully-random/y,
    (_words, _table, state) => {
      state.isTranslated = true;
      state.packet = { ...state.packet, source: state.host.masqueradeAs(state.packet) };
      return 'accept';
    },
  ],
  [/(?:jump|goto) \S+|accept|drop|reject|return/y, ([verdict]) => verdict],
];

function judgeNft(table: SavedNft, rule: string, state: Judging, rules: readonly string[]): string | undefined {
  for (let at = 0; at < rule.length; at++) {
    const result = judgePart(table, rule, at, state, rules);
    if (result.end === false) return undefined;
    if (typeof result.end === 'string') return result.end;
    ({ at } = result);
  }
  return undefined;
}

function judgePart(
  table: SavedNft,
  rule: string,
  at: number,
  state: Judging,
  rules: readonly string[],
): { readonly end: boolean | string; readonly at: number } {
  for (const [words, judge] of PARTS) {
    words.lastIndex = at;
    const found = words.exec(rule);
    if (found) return { end: judge(found, table, state, rules), at: words.lastIndex };
  }
  throw new Error(`the interpreter does not know ${rule.slice(at)}`);
}
