import { makeAccess } from '../../machinery/requests/auth.js';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from '../../api/rbac_v1.js';
import { authorize, isSuperuser } from '../../auth/authorization/authorizer.js';
import { compactRules, quoteList } from '../../auth/rbac/compact.js';
import { findUncoveredRules } from '../../auth/rbac/policy-comparator.js';
import { getRoleReferenceRules, visitRulesFor } from '../../auth/rbac/rule-resolver.js';
import type { Reader, User } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { forbidden, notFound } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';

const GROUP = 'rbac.authorization.k8s.io';
const EVERYTHING: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Refuses roles and bindings that grant permissions which the user does not hold. Upstream checks this in the storage
 * of the RBAC kinds, not in admission. Models
 * pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased.
 */
export const plugin: AdmissionPlugin = {
  name: 'RBACEscalation',
  resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map((plural) => `${plural}.${GROUP}`),
  validate(request) {
    const { operation, user, object } = request;
    if (operation === 'DELETE' || !object || isSuperuser(user) || !request.fromOutside) return;
    if (request.kind.plural.endsWith('bindings')) checkBinding(request, object as RoleBinding | ClusterRoleBinding);
    else checkRole(request, object as ClusterRole);
  },
};

function checkRole(request: AdmissionRequest, role: Role & Pick<ClusterRole, 'aggregationRule'>): void {
  const { kind, namespace, name, user, client } = request;
  const old = request.old as ClusterRole | undefined;
  if (old && deepEqual(old.rules, role.rules) && deepEqual(old.aggregationRule, role.aggregationRule)) return;
  if (authorize(user, makeAccess('escalate', { group: GROUP, resource: kind.plural, name, namespace }), client).allowed)
    return;
  if (role.aggregationRule && findUncovered(user, namespace, EVERYTHING, client).length > 0)
    throw forbidden(kind, name, 'must have cluster-admin privileges to use the aggregationRule');
  confirmNoEscalation(request, role.rules ?? []);
}

function checkBinding(request: AdmissionRequest, { roleRef, subjects }: RoleBinding | ClusterRoleBinding): void {
  const { namespace, user, client } = request;
  const old = request.old as RoleBinding | undefined;
  if (old && deepEqual(old.roleRef, roleRef) && deepEqual(old.subjects, subjects)) return;
  const resource = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (authorize(user, makeAccess('bind', { group: GROUP, resource, name: roleRef.name, namespace }), client).allowed)
    return;
  const rules = getRoleReferenceRules(roleRef, namespace, client);
  // Upstream names the binding's own resource, not the role's.
  if (typeof rules === 'string') throw notFound(request.kind, roleRef.name);
  confirmNoEscalation(request, rules);
}

const findUncovered = (user: User, namespace: string, rules: readonly PolicyRule[], read: Reader): PolicyRule[] =>
  findUncoveredRules(
    [...visitRulesFor(user, namespace, read)].flatMap((g) => (g.rule ? [g.rule] : [])),
    rules,
  );

/** Models pkg/registry/rbac/validation ConfirmNoEscalation. */
function confirmNoEscalation(
  { kind, namespace, name, user, client }: AdmissionRequest,
  rules: readonly PolicyRule[],
): void {
  const parts = findUncovered(user, namespace, rules, client);
  if (parts.length === 0) return;
  throw forbidden(
    kind,
    name,
    `user ${JSON.stringify(user.name)} (groups=${quoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${compactRules(parts).join('\n')}`,
  );
}
