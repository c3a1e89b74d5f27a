export { listTable, type ListOptions } from './list.js';
export { isInPrefix, prefixOf, type Prefix } from './prefix.js';
export { printRule, saveRuleset, saveTable } from './print.js';
export type * from './rule.js';
export { EMPTY_RULESET, makeChain, makeTable, tableOf } from './table.js';
export { walkHook, type RuleHop, type Verdict, type Walk } from './walk.js';
