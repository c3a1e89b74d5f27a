import type { PolicyRule } from '../../api/rbac_v1.js';
import type { Access } from '../../machinery/requests/auth.js';
import { trimRight } from '../../machinery/text/strings.js';

const ALL = '*';

/** Models plugin/pkg/auth/authorizer/rbac RuleAllows. */
export function ruleAllows(rule: PolicyRule, access: Omit<Access, 'namespace'>): boolean {
  const { verb, path, group, resource, subresource, name } = access;
  if (!includesOrAll(rule.verbs, verb)) return false;
  if (path !== undefined) return nonResourceUrlMatches(rule, path);
  return (
    includesOrAll(rule.apiGroups, group) &&
    resourceMatches(rule, resource, subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

/** Models pkg/apis/rbac/v1 VerbMatches and APIGroupMatches. */
export const includesOrAll = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes(value) || list.includes(ALL));

/** Patterns end with '*' or are whole paths. Models pkg/apis/rbac/v1 NonResourceURLMatches. */
export const nonResourceUrlMatches = ({ nonResourceURLs = [] }: PolicyRule, path: string): boolean =>
  nonResourceURLs.some(
    (pattern) =>
      pattern === ALL || pattern === path || (pattern.endsWith(ALL) && path.startsWith(trimRight(pattern, ALL))),
  );

/** Patterns are '*', 'pods', 'pods/log', or with '*' before the slash. Models pkg/apis/rbac/v1 ResourceMatches. */
export function resourceMatches({ resources = [] }: PolicyRule, resource: string, subresource: string): boolean {
  const combined = subresource ? `${resource}/${subresource}` : resource;
  return resources.some((p) => p === ALL || p === combined || (subresource !== '' && p === `*/${subresource}`));
}
