import type { PolicyRule } from '../../api/rbac_v1.js';
import { includesOrAll, nonResourceUrlMatches, resourceMatches } from './evaluation.js';

/**
 * The rules of `requested` that `owned` do not cover, in parts of one verb, group, resource and name each. Models
 * component-helpers/auth/rbac/validation Covers.
 */
export const findUncoveredRules = (owned: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] =>
  requested.flatMap(breakdownRule).filter((part) => !owned.some((rule) => ruleCovers(rule, part)));

function breakdownRule(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  const names = rule.resourceNames?.length ? rule.resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of rule.verbs)
        for (const name of names) parts.push({ apiGroups: [group], resources: [resource], verbs: [verb], ...name });
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

function ruleCovers(rule: PolicyRule, part: PolicyRule): boolean {
  const [verb = ''] = part.verbs;
  if (!includesOrAll(rule.verbs, verb)) return false;
  const [url] = part.nonResourceURLs ?? [];
  if (url !== undefined) return nonResourceUrlMatches(rule, url);
  const [group = ''] = part.apiGroups ?? [];
  const [resource = '', subresource = ''] = (part.resources?.[0] ?? '').split('/', 2);
  const [name] = part.resourceNames ?? [];
  return (
    includesOrAll(rule.apiGroups, group) &&
    resourceMatches(rule, resource, subresource) &&
    (!rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name)))
  );
}
