import { makeChain, type Chain, type Rule } from '../../kernel/netfilter/index.js';

/** Chains by name. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;

/** Chains that others than kubelet and kube-proxy write: a network's plug-ins. */
export interface OtherRules {
  readonly filter?: Rules;
  readonly nat?: Rules;
  readonly mangle?: Rules;
}

/** Chains of equal names have the rules of all, in this order. */
export function chainsOf(...parts: readonly (Rules | undefined)[]): Chain[] {
  const rules = new Map<string, readonly Rule[]>();
  for (const part of parts)
    for (const [name, own] of Object.entries(part ?? {})) rules.set(name, [...(rules.get(name) ?? []), ...own]);
  return [...rules].map(([name, own]) => makeChain(name, own));
}
