import type { Bytes } from '../../../engine/kernel/bytes.js';
import {
  listTable,
  makeTable,
  printRule,
  saveRuleset,
  type ListOptions,
  type Ruleset,
  type Table,
  type TableName,
} from '../../../engine/kernel/netfilter/index.js';
import type { Options } from '../framework/options.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure, UsageFailure, type ToolContext } from '../framework/tool.js';

const VERSION = '1.8.9 (nf_tables)';
const TABLES: readonly TableName[] = ['filter', 'nat', 'mangle', 'raw'];
const OPTIONS = [
  ...[
    't,table:',
    'L,list',
    'S,list-rules',
    'n,numeric',
    'v,verbose',
    'line-numbers',
    'x,exact',
    'w,wait::',
    'V,version',
  ],
  ...['A,append', 'I,insert', 'D,delete', 'R,replace', 'F,flush', 'Z,zero', 'N,new', 'X,delete-chain', 'P,policy'],
  ...['E,rename-chain', 'C,check'],
];
const CHANGES = ['A', 'I', 'D', 'R', 'F', 'Z', 'N', 'X', 'P', 'E', 'C'];
/** iptables' codes: a wrong command line, and a problem of the kernel. */
const PARAMETER_PROBLEM = 2;
const RESOURCE_PROBLEM = 4;

/**
 * Shows the rules of the machine's network namespace. Models iptables/iptables.c. Left out: changing rules, which are
 * those that a node's agents write; counters are 0.
 */
export const iptables = defineTool(
  (tool) => {
    const change = tool.args.find((word) => isChange(word));
    if (change !== undefined) throw new ToolFailure(`${change}: changing rules is not simulated`, RESOURCE_PROBLEM);
    const options = parseOptions(tool, OPTIONS);
    if (options.has('V')) {
      tool.out(`${tool.name} v${VERSION}\n`);
      return 0;
    }
    if (!options.has('L', 'S')) return fail(tool, 'no command specified');
    const rules = rulesOf(tool);
    if (rules === undefined) return RESOURCE_PROBLEM;
    const name = options.value('t') ?? 'filter';
    const table = tableOf(rules, name);
    if (table === undefined) return failTable(tool, name);
    const [chain] = options.operands;
    if (chain !== undefined && table.chain(chain) === undefined) return failChain(tool);
    tool.out(
      options.has('L')
        ? listTable(table, { ...listOptions(options), isSixth: isSixth(tool) }, chain)
        : specify(table, chain),
    );
    return 0;
  },
  { usageCode: PARAMETER_PROBLEM },
);

/** Long options of these, too; as a first letter in a cluster they cannot stand behind others. */
const isChange = (word: Bytes): boolean =>
  CHANGES.some((letter) => word === `-${letter}`) ||
  ['--append', '--insert', '--delete', '--replace', '--flush', '--zero', '--new-chain', '--policy', '--check'].includes(
    word,
  );

function fail(tool: ToolContext, message: string): number {
  tool.err(
    `${tool.name} v${VERSION}: ${message}\nTry \`${tool.name} -h' or '${tool.name} --help' for more information.\n`,
  );
  return PARAMETER_PROBLEM;
}

function failTable(tool: ToolContext, name: Bytes): number {
  tool.err(
    `${tool.name} v${VERSION}: table '${name}' does not exist\nPerhaps iptables or your kernel needs to be upgraded.\n`,
  );
  return 3;
}

function failChain(tool: ToolContext): number {
  tool.err(`${tool.name}: No chain/target/match by that name.\n`);
  return 1;
}

/** The rules that the caller may see; undefined after a message. */
function rulesOf(tool: ToolContext): Ruleset | undefined {
  if (!tool.sys.hasCapability('NET_ADMIN')) {
    tool.err(
      `${tool.name} v${VERSION}: Could not fetch rule set generation id: Permission denied (you must be root)\n`,
    );
    return undefined;
  }
  return tool.sys.netfilter(isSixth(tool));
}

const isSixth = (tool: ToolContext): boolean => tool.name.includes('ip6');

const tableOf = (rules: Ruleset, name: Bytes): Table | undefined => {
  const known = TABLES.find((one) => one === name);
  return known && (rules.tables.find((one) => one.name === known) ?? makeTable(known));
};

const listOptions = (options: Options): ListOptions => ({
  isNumeric: options.has('n'),
  isVerbose: options.has('v'),
  isNumbered: options.has('line-numbers'),
});

/** iptables -S: the chains, then their rules. */
function specify(table: Table, only: Bytes | undefined): Bytes {
  const chains = table.chains().filter(({ name }) => only === undefined || name === only);
  const heads = chains.map(({ name, policy }) => (policy ? `-P ${name} ${policy}\n` : `-N ${name}\n`));
  return [...heads, ...chains.flatMap(({ name, rules }) => rules().map((rule) => `${printRule(name, rule)}\n`))].join(
    '',
  );
}

/** Models iptables/iptables-save.c. */
export const iptablesSave = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['t,table:', 'c,counters', 'V,version', 'f,file:', 'M,modprobe:']);
    if (options.has('V')) {
      tool.out(`${tool.name} v${VERSION}\n`);
      return 0;
    }
    if (options.operands.length > 0) throw new UsageFailure(`Unknown arguments found on commandline`);
    if (options.has('c', 'f')) throw new ToolFailure('counters and files are not simulated', RESOURCE_PROBLEM);
    const rules = rulesOf(tool);
    if (rules === undefined) return RESOURCE_PROBLEM;
    const only = options.value('t');
    if (only !== undefined && tableOf(rules, only) === undefined) return failTable(tool, only);
    tool.out(saveRuleset(rules, VERSION, dateOf(tool.sys.now), only));
    return 0;
  },
  { usageCode: 1 },
);

/** As ctime(3): 'Sun Nov 22 20:10:00 2026'. */
const dateOf = (now: number): Bytes => {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(now).toUTCString().split(' ');
  return `${day.slice(0, 3)} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`;
};
