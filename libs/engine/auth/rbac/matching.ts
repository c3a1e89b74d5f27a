import type { PolicyRule } from '../../api/rbac_v1.js';
import type { Access } from '../../machinery/auth.js';

const ALL = '*';
const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes(value) || list.includes(ALL));

/** Models plugin/pkg/auth/authorizer/rbac RuleAllows. */
export function ruleAllows(rule: PolicyRule, asked: Omit<Access, 'namespace'>): boolean {
  if (!has(rule.verbs, asked.verb)) return false;
  if (asked.path !== undefined)
    return (rule.nonResourceURLs ?? []).some((url) => nonResourceUrlMatches(url, asked.path!));
  return (
    has(rule.apiGroups, asked.group) &&
    resourceMatches(rule.resources ?? [], asked.resource, asked.subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(asked.name))
  );
}

const nonResourceUrlMatches = (pattern: string, path: string): boolean =>
  pattern === ALL || pattern === path || (pattern.endsWith(ALL) && path.startsWith(pattern.replace(/\*+$/, '')));

function resourceMatches(patterns: readonly string[], resource: string, subresource: string): boolean {
  const combined = subresource ? `${resource}/${subresource}` : resource;
  return patterns.some((p) => p === ALL || p === combined || (subresource !== '' && p === `*/${subresource}`));
}

/**
 * The parts of `wanted` that `owned` does not hold, one verb each. Models component-helpers/auth/rbac/validation
 * Covers.
 */
export const findUncoveredRules = (owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] =>
  wanted.flatMap(breakdownRule).filter((part) => !owned.some((rule) => ruleCovers(rule, part)));

function breakdownRule(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  const names = rule.resourceNames?.length ? rule.resourceNames.map((n) => [n]) : [undefined];
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs)
        for (const resourceNames of names)
          parts.push({
            apiGroups: [group],
            resources: [resource],
            verbs: [verb],
            ...(resourceNames ? { resourceNames } : {}),
          });
    }
  }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

function ruleCovers(rule: PolicyRule, part: PolicyRule): boolean {
  const [verb = ''] = part.verbs;
  if (!has(rule.verbs, verb)) return false;
  const [url] = part.nonResourceURLs ?? [];
  if (url !== undefined) return (rule.nonResourceURLs ?? []).some((pattern) => nonResourceUrlMatches(pattern, url));
  const [resource = '', subresource = ''] = (part.resources?.[0] ?? '').split('/', 2);
  if (!has(rule.apiGroups, part.apiGroups?.[0] ?? '') || !resourceMatches(rule.resources ?? [], resource, subresource))
    return false;
  return (
    !rule.resourceNames?.length ||
    (part.resourceNames !== undefined && rule.resourceNames.includes(part.resourceNames[0]!))
  );
}

/**
 * Puts the verbs of one resource together, and prints each rule as upstream does, sorted. Models CompactRules and
 * CompactString.
 */
export function compactRules(rules: readonly PolicyRule[]): string[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const simple = !rule.resourceNames && !rule.nonResourceURLs;
    const key = simple ? `${rule.apiGroups?.[0]}/${rule.resources?.[0]}` : `#${merged.size}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, verbs: [...known.verbs, ...rule.verbs] } : rule);
  }
  return [...new Set([...merged.values()].map(compactString))].sort();
}

/** Go's %q of a list of strings. */
export const quoteList = (list: readonly string[]): string => `[${list.map((v) => JSON.stringify(v)).join(' ')}]`;

function compactString(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  return `{${parts
    .filter(([, list]) => list?.length)
    .map(([name, list]) => `${name}:${quoteList(list!)}`)
    .join(', ')}}`;
}
