import type { ClusterRoleBinding, PolicyRule, RoleBinding, RoleRef, Subject } from '../../api/rbac_v1.js';
import type { Reader, User } from '../../machinery/client.js';
import { serviceAccountUser } from '../authentication/serviceaccounts.js';
import { kind as ClusterRoles } from '../../kinds/rbac/clusterrole/kind.js';
import { kind as ClusterRoleBindings } from '../../kinds/rbac/clusterrolebinding/kind.js';
import { kind as Roles } from '../../kinds/rbac/role/kind.js';
import { kind as RoleBindings } from '../../kinds/rbac/rolebinding/kind.js';

/** One rule that a binding gives a user, or the error that its role does not exist. */
export interface Grant {
  readonly rule?: PolicyRule;
  /** The binding: 'ClusterRoleBinding "x" of ClusterRole "y" to User "z"'. */
  source(): string;
  readonly error?: string;
}

/** Every rule that applies to a user, cluster-wide ones first. Models pkg/registry/rbac/validation VisitRulesFor. */
export function* visitRulesFor(user: User, namespace: string, read: Reader): Iterable<Grant> {
  for (const binding of read.list(ClusterRoleBindings)) yield* visitBindingRules(user, binding, '', read);
  if (namespace)
    for (const binding of read.list(RoleBindings, namespace)) yield* visitBindingRules(user, binding, namespace, read);
}

function* visitBindingRules(
  user: User,
  binding: ClusterRoleBinding | RoleBinding,
  namespace: string,
  read: Reader,
): Iterable<Grant> {
  const subject = binding.subjects?.find((s) => appliesTo(user, s, namespace));
  if (!subject) return;
  const source = (): string => describeBinding(binding, subject, namespace);
  const rules = getRoleReferenceRules(binding.roleRef, namespace, read);
  if (typeof rules === 'string') yield { source, error: rules };
  else for (const rule of rules) yield { rule, source };
}

/** The rules of a role, or the error that it does not exist. Models GetRoleReferenceRules. */
export function getRoleReferenceRules(ref: RoleRef, namespace: string, read: Reader): readonly PolicyRule[] | string {
  const cluster = ref.kind === 'ClusterRole';
  const role = cluster
    ? read.get(ClusterRoles, { namespace: '', name: ref.name })
    : read.get(Roles, { namespace, name: ref.name });
  return role
    ? (role.rules ?? [])
    : `${cluster ? 'clusterrole' : 'role'}.rbac.authorization.k8s.io ${JSON.stringify(ref.name)} not found`;
}

function appliesTo(user: User, subject: Subject, namespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return user.name === subject.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount':
      return user.name === serviceAccountUser(subject.namespace || namespace, subject.name);
    default:
      return false;
  }
}

function describeBinding(binding: ClusterRoleBinding | RoleBinding, subject: Subject, namespace: string): string {
  const {
    metadata: { name },
    roleRef,
  } = binding;
  // Upstream puts the namespace behind the name.
  const bound = namespace
    ? `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`
    : `ClusterRoleBinding ${JSON.stringify(name)}`;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  return `${bound} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject.kind} ${JSON.stringify(who)}`;
}
