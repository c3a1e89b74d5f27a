import { apiServerOf } from '../../kinds/terrarium/noderuntime/api-server.js';
import type { NonResourceRule, ResourceRule } from '../../api/authorization_v1.js';
import type { Access, Decision, UserRules } from '../../machinery/requests/auth.js';
import type { Reader, User } from '../../machinery/client.js';
import { ruleAllows } from '../rbac/evaluation.js';
import { visitRulesFor } from '../rbac/rule-resolver.js';
import { authorizeNode, nodeNameOf } from './node.js';
import { authorizeByScopes, isScoped } from './scopes.js';

const isPrivileged = (user: User): boolean => user.groups.includes('system:masters');

/** Models the authorizer of system:masters, which stands before all others. No superuser's credential has scopes. */
export const isSuperuser = (user: User): boolean => isPrivileged(user) && !isScoped(user);

/** Decides on one access: scopes, superusers, then what --authorization-mode says, by default nodes and roles. */
export function authorize(user: User, access: Access, read: Reader): Decision {
  const byScopes = authorizeByScopes(user, access);
  if (byScopes) return byScopes;
  if (isPrivileged(user)) return { allowed: true };
  const modes = apiServerOf(read)?.authorizationModes;
  if (modes?.includes('AlwaysAllow')) return { allowed: true };
  const has = (mode: string): boolean => modes === undefined || modes.includes(mode);
  const node = has('Node') ? nodeNameOf(user) : undefined;
  const byNode = node === undefined ? undefined : authorizeNode(node, access, read);
  if (byNode?.allowed) return byNode;
  const byRoles: Decision = has('RBAC') ? authorizeByRoles(user, access, read) : { allowed: false };
  if (byRoles.allowed) return byRoles;
  const reasons = [byNode?.reason, byRoles.reason].filter((r) => r);
  return reasons.length ? { allowed: false, reason: reasons.join('\n') } : { allowed: false };
}

/** Models plugin/pkg/auth/authorizer/rbac. */
function authorizeByRoles(user: User, access: Access, read: Reader): Decision {
  const errors = new Set<string>();
  for (const { rule, error, source } of visitRulesFor(user, access.namespace, read)) {
    if (error) errors.add(error);
    else if (rule && ruleAllows(rule, access)) return { allowed: true, reason: `RBAC: allowed by ${source()}` };
  }
  return errors.size ? { allowed: false, reason: `RBAC: ${aggregateErrors(errors)}` } : { allowed: false };
}

/** Prints errors as utilerrors.NewAggregate does. */
const aggregateErrors = (errors: ReadonlySet<string>): string =>
  errors.size === 1 ? [...errors][0]! : `[${[...errors].join(', ')}]`;

const NO_NODE_RULES = 'node authorizer does not support user rule resolution';

/** The rules of a user in a namespace, without the node authorizer's. Models the RBAC authorizer's RulesFor. */
export function rulesFor(user: User, namespace: string, read: Reader): UserRules {
  const resourceRules: ResourceRule[] = [];
  const nonResourceRules: NonResourceRule[] = [];
  const errors = new Set<string>();
  for (const { rule, error } of visitRulesFor(user, namespace, read)) {
    if (error) errors.add(error);
    if (rule?.resources?.length) {
      const { verbs, apiGroups, resources, resourceNames } = rule;
      resourceRules.push({ verbs, apiGroups, resources, ...(resourceNames ? { resourceNames } : {}) });
    }
    if (rule?.nonResourceURLs?.length)
      nonResourceRules.push({ verbs: rule.verbs, nonResourceURLs: rule.nonResourceURLs });
  }
  const isNode = nodeNameOf(user) !== undefined;
  const rbacErrors = errors.size ? [aggregateErrors(errors)] : [];
  const evaluationErrors = new Set(isNode ? [NO_NODE_RULES, ...rbacErrors] : rbacErrors);
  return {
    resourceRules,
    nonResourceRules,
    incomplete: isNode,
    ...(evaluationErrors.size ? { evaluationError: aggregateErrors(evaluationErrors) } : {}),
  };
}
