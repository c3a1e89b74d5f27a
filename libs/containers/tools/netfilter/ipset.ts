import type { Bytes } from '../../../engine/kernel/bytes.js';
import { listSet, saveSet, type AddressSet, type Ruleset } from '../../../engine/kernel/netfilter/index.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure, UsageFailure, type ToolContext } from '../framework/tool.js';

const VERSION = 'ipset v7.17';
const COMMANDS: Readonly<Record<string, string>> = { '-L': 'list', '--list': 'list', '-S': 'save', '-T': 'test' };
const CHANGES = ['create', 'add', 'del', 'destroy', 'flush', 'rename', 'swap', 'restore'];

/** Shows sets of addresses. Models ipset. Left out: changing them, which are those that kube-proxy writes. */
export const ipset = defineTool((tool) => {
  const options = parseOptions(tool, ['n,name', 't,terse', 's,sorted', 'L,list', 'S,save', 'T,test', 'v,version', 'q']);
  const letter = options.last('L', 'S', 'T');
  const [command = '', ...rest] = letter ? [COMMANDS[`-${letter}`]!, ...options.operands] : options.operands;
  if (command === 'version' || options.has('v')) {
    tool.out(`${VERSION}, protocol version: 7\n`);
    return 0;
  }
  if (CHANGES.includes(command)) throw new ToolFailure(`${command}: changing sets is not simulated`);
  if (!['list', 'save', 'test'].includes(command)) return fail(tool, `Unknown argument ${command || '(none)'}`);
  if (!tool.sys.hasCapability('NET_ADMIN')) return fail(tool, 'Kernel error received: Operation not permitted');
  const rules = tool.sys.netfilter();
  const [name, entry] = rest;
  const second = tool.sys.netfilter(true);
  const found = [...(rules.sets?.values() ?? []), ...(second.sets?.values() ?? [])].filter(
    (set) => name === undefined || set.name === name,
  );
  if (name !== undefined && found.length === 0) return fail(tool, 'The set with the given name does not exist');
  if (command === 'test') return testEntry(tool, found[0], entry);
  if (command === 'save') tool.out(found.map(saveSet).join(''));
  else if (options.has('n')) tool.out(found.map((set) => `${set.name}\n`).join(''));
  else
    tool.out(
      found
        .map((set) =>
          listSet(set, referencesOf(second.sets?.has(set.name) ? second : rules, set.name), options.has('t')),
        )
        .join('\n'),
    );
  return 0;
});

function fail(tool: ToolContext, message: string): number {
  tool.err(`${VERSION}: ${message}\n`);
  return 1;
}

function testEntry(tool: ToolContext, set: AddressSet | undefined, entry: Bytes | undefined): number {
  if (set === undefined || entry === undefined) throw new UsageFailure('missing second mandatory argument to test');
  const isIn = set.members().includes(entry);
  tool.err(isIn ? `Warning: ${entry} is in set ${set.name}.\n` : `${entry} is NOT in set ${set.name}.\n`);
  return isIn ? 0 : 1;
}

/** Rules that match a set. */
const referencesOf = ({ tables }: Ruleset, name: string): number =>
  tables
    .flatMap((table) => table.chains().flatMap(({ rules }) => rules().flatMap(({ matches }) => matches)))
    .filter((match) => match.type === 'set' && match.name === name).length;
