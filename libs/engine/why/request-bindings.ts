import type { PolicyRule, RoleRef, Subject } from '../api/rbac_v1.js';
import { ClusterRoleBindings, ClusterRoles, RoleBindings, Roles } from '../kinds/index.js';
import type { Access } from '../machinery/requests/auth.js';
import type { User } from '../machinery/requests/user.js';
import { refOf, type World } from './world.js';

const MAX_BINDINGS = 3;
const MAX_SUBJECTS = 5;
const SYSTEM = /^system:/;

/** Bindings that grant what a user may not do, to others: a name or a namespace may be wrong there. */
export function grantedToOthers({ read }: World, access: Access): string[] {
  const { namespace } = access;
  const inNamespace = namespace ? read.list(RoleBindings, namespace) : [];
  const bindings = [...inNamespace, ...read.list(ClusterRoleBindings)].filter(
    ({ metadata, roleRef, subjects = [] }) =>
      !SYSTEM.test(metadata.name ?? '') &&
      !subjects.every(isOfSystem) &&
      grants(read, metadata.namespace ?? '', roleRef, access),
  );
  const unbound = namespace
    ? read
        .list(Roles, namespace)
        .filter(({ rules }) => rules?.some((rule) => allows(rule, access)))
        .filter(({ metadata }) => !inNamespace.some(({ roleRef }) => isRole(roleRef, metadata.name)))
    : [];
  const bindingText = (one: (typeof bindings)[number]): string =>
    `${refOf(one)} grants it (${one.roleRef.kind} ${one.roleRef.name}), to ${subjectsText(one.subjects)}`;
  return [
    ...bindings.slice(0, MAX_BINDINGS).map(bindingText),
    ...unbound.slice(0, MAX_BINDINGS).map((role) => `${refOf(role)} grants it, and nothing binds it to anybody`),
  ];
}

function grants(read: World['read'], where: string, { kind, name }: RoleRef, access: Access): boolean {
  const role =
    kind === 'Role' ? read.get(Roles, { namespace: where, name }) : read.get(ClusterRoles, { namespace: '', name });
  return role?.rules?.some((rule) => allows(rule, access)) === true;
}

/** Bindings of other namespaces that grant a user what he may not do in this one. */
export function grantedElsewhere({ read }: World, { name, groups }: User, access: Access): string[] {
  const { namespace } = access;
  if (!namespace) return [];
  const account = /^system:serviceaccount:([^:]+):(.+)$/.exec(name);
  const isOwn = (subject: Subject): boolean =>
    subject.kind === 'User'
      ? subject.name === name
      : subject.kind === 'Group'
        ? groups.includes(subject.name) && !SYSTEM.test(subject.name)
        : subject.namespace === account?.[1] && subject.name === account?.[2];
  return read
    .list(RoleBindings)
    .filter(({ metadata, roleRef, subjects = [] }) => {
      const where = metadata.namespace ?? '';
      return where !== namespace && subjects.some(isOwn) && grants(read, where, roleRef, access);
    })
    .slice(0, MAX_BINDINGS)
    .map((one) => `${refOf(one)} grants it to the user in the namespace ${one.metadata.namespace} alone`);
}

/** What a cluster comes with. */
const isOfSystem = ({ kind, namespace, name }: Subject): boolean =>
  kind === 'ServiceAccount' ? namespace === 'kube-system' : SYSTEM.test(name);

const isRole = ({ kind, name }: RoleRef, own: string | undefined): boolean => kind === 'Role' && name === own;

const allows = ({ verbs, apiGroups = [], resources = [], resourceNames }: PolicyRule, access: Access): boolean =>
  has(verbs, access.verb) &&
  has(apiGroups, access.group) &&
  has(resources, access.subresource ? `${access.resource}/${access.subresource}` : access.resource) &&
  (!resourceNames?.length || resourceNames.includes(access.name));

const has = (list: readonly string[], one: string): boolean => list.includes('*') || list.includes(one);

const subjectsText = (subjects: readonly Subject[] = []): string =>
  subjects
    .slice(0, MAX_SUBJECTS)
    .map(({ kind, namespace, name }) => `${kind} ${namespace ? `${namespace}/` : ''}${name}`)
    .join(', ') || 'nobody';
