import type { PolicyRule } from '../../api/rbac_v1.js';

/**
 * Rules as upstream's errors print them, sorted; those of one resource become one rule. Models
 * pkg/registry/rbac/validation CompactRules and pkg/apis/rbac/v1 CompactString.
 */
export function compactRules(rules: readonly PolicyRule[]): string[] {
  const byResource = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const isSimple = !rule.resourceNames && !rule.nonResourceURLs;
    const key = isSimple ? `${rule.apiGroups?.[0]}/${rule.resources?.[0]}` : `#${byResource.size}`;
    const known = byResource.get(key);
    byResource.set(key, known ? { ...known, verbs: [...known.verbs, ...rule.verbs] } : rule);
  }
  return [...new Set([...byResource.values()].map(compactString))].sort();
}

function compactString(rule: PolicyRule): string {
  const fields: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const texts = fields.flatMap(([name, list]) => (list?.length ? [`${name}:${quoteList(list)}`] : []));
  return `{${texts.join(', ')}}`;
}

/** Go's %q of a list of strings. */
export const quoteList = (list: readonly string[]): string => `[${list.map((text) => JSON.stringify(text)).join(' ')}]`;
