import type {
  AuditLevel,
  AuditPolicy,
  AuditRule,
  AuditStage,
} from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { User } from '../../machinery/requests/user.js';
import type { RequestInfo } from '../../machinery/requests/request-info.js';

/** What a policy says of one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/**
 * The first rule that matches decides; without one nothing is audited. `user`: absent when nobody was recognized.
 * Models apiserver/pkg/audit/policy/checker.go.
 */
export function evaluatePolicy(policy: AuditPolicy, info: RequestInfo, user: User | undefined): AuditDecision {
  const rule = policy.rules.find((one) => matches(one, info, user));
  return {
    level: rule?.level ?? 'None',
    omitStages: [...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])],
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: AuditRule, info: RequestInfo, user: User | undefined): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  if (users?.length && !(user && users.includes(user.name))) return false;
  if (userGroups?.length && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs?.length && !verbs.includes(info.verb)) return false;
  if (namespaces?.length || resources?.length) return matchesResource(rule, info);
  if (nonResourceURLs?.length)
    return !info.isResourceRequest && nonResourceURLs.some((url) => matchesPath(url, info.path));
  return true;
}

const matchesPath = (spec: string, path: string): boolean =>
  spec === '*' || spec === path || (spec.endsWith('*') && path.startsWith(spec.slice(0, -1)));

function matchesResource({ namespaces, resources }: AuditRule, info: RequestInfo): boolean {
  if (!info.isResourceRequest) return false;
  if (namespaces?.length && !namespaces.includes(info.namespace)) return false;
  if (!resources?.length) return true;
  const { apiGroup, resource, subresource, name } = info;
  const combined = subresource ? `${resource}/${subresource}` : resource;
  return resources.some((one) => {
    if ((one.group ?? '') !== apiGroup) return false;
    if (!one.resources?.length) return true;
    if (one.resourceNames?.length && !one.resourceNames.includes(name)) return false;
    return one.resources.some(
      (spec) =>
        spec === '*' ||
        spec === combined ||
        (subresource !== '' && spec === `*/${subresource}`) ||
        spec === `${resource}/*`,
    );
  });
}
