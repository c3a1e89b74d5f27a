import type { Chain, Hook, Rule, Table, TableName } from './rule.js';
import type { Ruleset } from './ruleset.js';

/** The chains that a table is born with. */
export const HOOKS: Readonly<Record<TableName, readonly Hook[]>> = {
  raw: ['PREROUTING', 'OUTPUT'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
};

/** A table of chains that are written out; those built in that are not given are empty, with policy ACCEPT. */
export function makeTable(name: TableName, given: Readonly<Record<string, readonly Rule[]>> = {}): Table {
  return tableOf(
    name,
    Object.entries(given).map(([chain, rules]) => makeChain(chain, rules)),
  );
}

export const makeChain = (name: string, rules: readonly Rule[]): Chain => ({ name, rules: () => rules });

/** A table of these chains, and of those that a table has anyway. */
export function tableOf(name: TableName, given: readonly Chain[]): Table {
  const byName = new Map(given.map((chain) => [chain.name, chain]));
  const builtIn = HOOKS[name].map((hook): Chain => {
    const found = byName.get(hook);
    return { policy: 'ACCEPT', ...(found ?? makeChain(hook, [])) };
  });
  const own = given.filter((chain) => !HOOKS[name].some((hook) => hook === chain.name));
  const all = [...builtIn, ...own.sort((a, b) => (a.name < b.name ? -1 : 1))];
  for (const chain of all) byName.set(chain.name, chain);
  return { name, chain: (wanted) => byName.get(wanted), chains: () => all };
}

export const EMPTY_RULESET: Ruleset = { tables: [] };
