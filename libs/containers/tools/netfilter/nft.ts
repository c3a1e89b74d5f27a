import type { Bytes } from '../../../engine/kernel/bytes.js';
import {
  listNftTable,
  printChain,
  printCollection,
  wrapNft,
  type NftTable,
} from '../../../engine/kernel/netfilter/index.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure, type ToolContext } from '../framework/tool.js';

const CHANGES = ['add', 'create', 'insert', 'replace', 'delete', 'destroy', 'flush', 'rename', 'reset'];
const OPTIONS = [
  'n,numeric',
  'a,handle',
  's,stateless',
  'y',
  'p',
  't,terse',
  'j,json',
  'f,file:',
  'v,version',
  'V',
  'h',
];
const MANAGED = 'managed by iptables-nft: iptables-save shows it, this simulation of nft does not';

/**
 * Shows tables of nftables. Models nft's list commands. Left out: changing them, which are those that kube-proxy
 * writes; handles, JSON, and the tables that iptables has, which it names.
 */
export const nft = defineTool((tool) => {
  const options = parseOptions(tool, OPTIONS, true);
  if (options.has('v', 'V')) {
    tool.out('nftables v1.0.6 (Lester Gooch #5)\n');
    return 0;
  }
  const words = options.operands.flatMap((word) => word.split(' ')).filter((word) => word !== '');
  const [command = '', what = '', ...rest] = words;
  if (CHANGES.includes(command) || options.has('f')) throw new ToolFailure('changing rules is not simulated');
  if (options.has('j', 'a')) throw new ToolFailure('JSON and handles are not simulated');
  if (command !== 'list') return failAt(tool, words, 0, 'syntax error, unexpected string');
  if (!tool.sys.hasCapability('NET_ADMIN')) {
    tool.err(
      'Operation not permitted (you must be root)\nnetlink: Error: cache initialization failed: Operation not permitted\n',
    );
    return 1;
  }
  const { nft: table, tables } = tool.sys.netfilter();
  const second = tool.sys.netfilter(true).nft;
  if (what === 'ruleset' || what === 'tables') {
    for (const { name } of tables) tool.err(`# Warning: table ip ${name} is ${MANAGED}\n`);
    for (const one of [table, second])
      if (one) tool.out(what === 'tables' ? `table ${one.family} ${one.name}\n` : listNftTable(one));
    return 0;
  }
  return listPart(tool, rest[0] === 'ip6' ? second : table, words, what, rest);
});

/** `list chains`, and what has a table's name behind it. */
function listPart(
  tool: ToolContext,
  table: NftTable | undefined,
  words: readonly Bytes[],
  what: Bytes,
  rest: readonly Bytes[],
): number {
  const plural = what === 'chains' || what === 'sets' || what === 'maps';
  const [name, part] = ['ip', 'ip6', 'inet', 'arp', 'bridge', 'netdev'].includes(rest[0] ?? '') ? rest.slice(1) : rest;
  if (!plural && !['table', 'chain', 'set', 'map'].includes(what))
    return failAt(tool, words, 1, 'syntax error, unexpected string');
  if (plural && name === undefined) {
    if (table) tool.out(wrapNft(table, partsOf(table, what).join('')));
    return 0;
  }
  if (table === undefined || name !== table.name || (rest[0] !== name && rest[0] !== table.family))
    return failAt(tool, words, words.indexOf(name ?? ''), 'No such file or directory');
  if (what === 'table') {
    tool.out(listNftTable(table));
    return 0;
  }
  const text = plural ? partsOf(table, what).join('') : textOf(table, what, part ?? '');
  if (text === undefined) return failAt(tool, words, words.length - 1, 'No such file or directory');
  tool.out(wrapNft(table, text));
  return 0;
}

function textOf(table: NftTable, what: Bytes, name: string): string | undefined {
  if (what === 'chain') {
    const chain = table.chain(name);
    return chain && printChain(chain);
  }
  const found = what === 'set' ? table.set(name) : table.map(name);
  return found && printCollection(found);
}

/** Heads of chains; sets and maps with their elements. */
function partsOf(table: NftTable, what: Bytes): string[] {
  if (what === 'chains') return table.chains().map((chain) => printChain({ ...chain, rules: [] }));
  return table
    .collections()
    .filter((one) => (what === 'maps') === 'keyType' in one)
    .map(printCollection);
}

/** An error with the command line, and what of it is wrong. */
function failAt(tool: ToolContext, words: readonly Bytes[], at: number, message: string): number {
  const before = words.slice(0, Math.max(0, at)).reduce((sum, word) => sum + word.length + 1, 0);
  const marks = '^'.repeat(Math.max(1, (words[at] ?? '').length));
  tool.err(`Error: ${message}\n${words.join(' ')}\n${' '.repeat(before)}${marks}\n`);
  return 1;
}
