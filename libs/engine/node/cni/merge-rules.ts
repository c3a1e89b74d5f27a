import type { Rule } from '../../kernel/netfilter/index.js';

export type ChainRules = Readonly<Record<string, readonly Rule[]>>;

/** The chains of several writers of one table: chains of equal names have the rules of all, in this order. */
export function mergeRules(...writers: readonly (ChainRules | undefined)[]): ChainRules {
  const merged: Record<string, readonly Rule[]> = {};
  for (const rules of writers)
    for (const [chain, own] of Object.entries(rules ?? {})) merged[chain] = [...(merged[chain] ?? []), ...own];
  return merged;
}
