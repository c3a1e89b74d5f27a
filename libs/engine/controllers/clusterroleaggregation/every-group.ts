import type { ClusterRole, PolicyRule } from '../../api/rbac_v1.js';
import { APIServices, CustomResourceDefinitions } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

/** On a ClusterRole whose rule for all resources is meant for the groups of later on, too, but for terrarium.dev. */
export const GRANTS = 'terrarium.dev/grants';
const EVERY_GROUP = 'every-group';
const OWN_GROUP = 'terrarium.dev';
const ALL = '*';

export const grantsEveryGroup = ({ metadata }: ClusterRole): boolean => metadata.annotations?.[GRANTS] === EVERY_GROUP;

/**
 * The rules of such a role with the groups that CustomResourceDefinitions and API servers have brought. RBAC has no
 * exceptions, so that every other group is named; one that goes stays.
 */
export function withEveryGroup(read: Reader, rules: readonly PolicyRule[]): PolicyRule[] {
  const found = [
    ...read.list(CustomResourceDefinitions).map(({ spec }) => spec.group),
    ...read.list(APIServices).map(({ spec }) => spec.group ?? ''),
  ].filter((group) => group !== '' && group !== OWN_GROUP);
  const at = rules.findIndex(({ resources, apiGroups }) => resources?.includes(ALL) && !apiGroups?.includes(ALL));
  if (at < 0) return [...rules];
  return rules.map((rule, i) => {
    if (i !== at) return rule;
    const known = rule.apiGroups ?? [];
    const added = [...new Set(found)].filter((group) => !known.includes(group)).sort();
    return added.length === 0 ? rule : { ...rule, apiGroups: [...known, ...added] };
  });
}
