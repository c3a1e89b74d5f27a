/**
 * An interpreter of iptables-save for the specs. It reads the text word by word and shares nothing with the walk: a
 * rule that is printed wrongly is judged wrongly.
 */
import { runNft, type Judging, type SavedNft } from './nft/testing.js';
import { isInCidr, judgeSet, type SavedSets } from './sets/testing.js';
import type { Host, Packet } from './rule.js';

export interface Judgement {
  readonly verdict: string;
  /** 'source > destination:port mark', as the rules have left it. */
  readonly packet: string;
}

type Save = ReadonlyMap<string, ReadonlyMap<string, { policy: string; rules: string[][] }>>;

/** Tables, their chains, and each rule as words. */
export function readSave(text: string): Save {
  const save = new Map<string, Map<string, { policy: string; rules: string[][] }>>();
  let table = new Map<string, { policy: string; rules: string[][] }>();
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) save.set(line.slice(1), (table = new Map()));
    else if (line.startsWith(':')) {
      const [name = '', policy = ''] = line.slice(1).split(' ');
      table.set(name, { policy, rules: [] });
    } else if (line.startsWith('-A ')) {
      const [, name = '', ...rest] = words(line);
      table.get(name)!.rules.push(rest);
    }
  }
  return save;
}

function words(line: string): string[] {
  const out: string[] = [];
  for (const found of line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g))
    out.push(found[1] === undefined ? found[2]! : `"${found[1]}`);
  return out;
}

/** All that the tools of a node print, read back. */
export interface Saved {
  readonly iptables: Save;
  readonly sets: SavedSets;
  readonly nft: SavedNft | undefined;
}

interface State extends Judging {
  readonly sets: SavedSets;
}

interface Stage {
  readonly priority: number;
  readonly isNat: boolean;
  run(): string;
}

const PRIORITIES: Readonly<Record<string, number>> = { raw: -300, mangle: -150, filter: 0 };

/** What a node's rules make of a packet at a hook: tables and chains by their priorities, nat until it translates. */
export function judgeSaved(saved: Saved, hook: string, packet: Packet, host: Host, isTranslated = false): Judgement {
  const state: State = { host, packet, randoms: 0, isTranslated, sets: saved.sets };
  let verdict = 'ACCEPT';
  for (const stage of stagesAt(saved, hook, state)) {
    if (stage.isNat && state.isTranslated) continue;
    verdict = stage.run();
    if (verdict !== 'ACCEPT') break;
  }
  const { source, destination, destinationPort, mark } = state.packet;
  return { verdict, packet: `${source} > ${destination}:${destinationPort} ${mark}` };
}

function stagesAt({ iptables, nft }: Saved, hook: string, state: State): Stage[] {
  const translation = hook === 'PREROUTING' || hook === 'OUTPUT' ? -100 : 100;
  const tables = [...iptables].flatMap(([name, table]): Stage[] => {
    const run = (): string => runChain(table, hook, state) ?? table.get(hook)!.policy;
    return table.has(hook) ? [{ priority: PRIORITIES[name] ?? translation, isNat: name === 'nat', run }] : [];
  });
  const chains = [...(nft?.chains ?? [])].flatMap(([name, { hook: own, priority, isNat }]): Stage[] => {
    const run = (): string => (runNft(nft!, name, state) ?? 'accept').toUpperCase();
    return own === hook ? [{ priority, isNat, run }] : [];
  });
  return [...tables, ...chains].sort((a, b) => a.priority - b.priority);
}

function runChain(table: NonNullable<ReturnType<Save['get']>>, name: string, state: State): string | undefined {
  for (const rule of table.get(name)!.rules) {
    const [end, ...rest] = judgeRule(rule, state, table.get(name)!.rules);
    if (end === undefined) continue;
    if (end === 'RETURN') return undefined;
    if (table.has(end)) {
      const verdict = runChain(table, end, state);
      if (verdict !== undefined) return verdict;
      continue;
    }
    const done = runTarget(end, rest, state);
    if (done !== undefined) return done;
  }
  return undefined;
}

/** The words behind -j when all matches are met. */
function judgeRule(rule: readonly string[], state: State, chain: readonly (readonly string[])[]): string[] {
  let isNot = false;
  for (let i = 0; i < rule.length;) {
    const word = rule[i++]!;
    if (word === '!') {
      isNot = true;
      continue;
    }
    if (word === '-j') return rule.slice(i);
    if (word === '-m') {
      i++;
      continue;
    }
    const [isMet, taken] = judgeOption(word, rule, i, state, chain);
    if (isMet === isNot) return [];
    isNot = false;
    i += taken;
  }
  return [];
}

const inPorts = (list: string, port: number): boolean =>
  list.split(',').some((one) => {
    const [first, last = first] = one.split(':');
    return port >= Number(first) && port <= Number(last);
  });

const NUMBERS: Readonly<Record<string, string>> = { tcp: '6', udp: '17', sctp: '132' };

function judgeOption(
  word: string,
  rule: readonly string[],
  at: number,
  state: State,
  chain: readonly (readonly string[])[],
): readonly [boolean, number] {
  const { packet, host } = state;
  const value = rule[at] ?? '';
  switch (word) {
    case '-s':
      return [isInCidr(value, packet.source), 1];
    case '-d':
      return [isInCidr(value, packet.destination), 1];
    case '-i':
      return [packet.input === value, 1];
    case '-o':
      return [packet.output === value, 1];
    case '-p':
      return [packet.protocol === value, 1];
    case '--comment':
      return [true, 1];
    case '--dport':
    case '--dports':
      return [inPorts(value, packet.destinationPort), 1];
    case '--sport':
    case '--sports':
      return [inPorts(value, packet.sourcePort), 1];
    case '--mark': {
      const [wanted, mask = '0xffffffff'] = value.split('/');
      return [(BigInt(packet.mark) & BigInt(mask)) === BigInt(wanted!), 1];
    }
    case '--ctstate':
      return [value.split(',').includes(packet.state), 1];
    case '--dst-type':
      return [value === 'LOCAL' && host.isLocal(packet.destination), 1];
    case '--src-type':
      return [value === 'LOCAL' && host.isLocal(packet.source), 1];
    case '--mode':
      return [true, 1];
    case '--probability':
      return [host.random(packet, state.randoms++) < Number(value), 1];
    case '--set':
    case '--reap':
    case '--rsource':
      return [true, 0];
    case '--rcheck': {
      const lists = chain.filter((one) => one.includes('--rcheck')).map((one) => one[one.indexOf('--name') + 1]!);
      const name = rule[rule.indexOf('--name') + 1]!;
      return [host.isRecent(name, packet, Number(rule[rule.indexOf('--seconds') + 1]), lists), 0];
    }
    case '--match-set':
      return [judgeSet(state.sets, value, rule[at + 1]!, packet), 2];
    case '--physdev-is-in':
      return [false, 0];
    case '--vproto':
      return [packet.virtual !== undefined && NUMBERS[packet.virtual.protocol] === value, 1];
    case '--vaddr':
      return [`${packet.virtual?.address}/32` === value, 1];
    case '--vport':
      return [String(packet.virtual?.port) === value, 1];
    case '--seconds':
    case '--name':
    case '--mask':
      return [true, 1];
    default:
      throw new Error(`the interpreter does not know ${word} in ${rule.join(' ')}`);
  }
}

function runTarget(name: string, rest: readonly string[], state: State): string | undefined {
  const { packet, host } = state;
  state.isTranslated ||= ['DNAT', 'SNAT', 'MASQUERADE'].includes(name);
  switch (name) {
    case 'MARK': {
      const [value = '0', mask = '0'] = rest[1]!.split('/');
      const kept = BigInt(packet.mark) & (0xffffffffn - BigInt(mask));
      state.packet = { ...packet, mark: Number(kept ^ BigInt(value)) };
      return undefined;
    }
    case 'DNAT': {
      const [destination = '', port] = rest[1]!.split(':');
      state.packet = { ...packet, destination, destinationPort: port ? Number(port) : packet.destinationPort };
      return 'ACCEPT';
    }
    case 'SNAT':
      state.packet = { ...packet, source: rest[1]! };
      return 'ACCEPT';
    case 'MASQUERADE':
      state.packet = { ...packet, source: host.masqueradeAs(packet) };
      return 'ACCEPT';
    case 'ACCEPT':
    case 'DROP':
    case 'REJECT':
      return name;
    default:
      throw new Error(`the interpreter does not know ${name}`);
  }
}
