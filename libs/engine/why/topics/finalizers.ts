import type { PolicyRule } from '../../api/rbac_v1.js';
import { ClusterRoleBindings, ClusterRoles, Pods, RoleBindings, Roles } from '../../kinds/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { kindOfObject, MAX_DEPTH, refOf, refText, type World } from '../world.js';

const MAX_KEEPERS = 3;
const ACCOUNT = 'ServiceAccount';

/**
 * Service accounts that roles let change objects of a custom kind, and whether a pod of theirs runs: one of them is who
 * takes its finalizers away.
 */
export function keeperTexts(world: World, object: KubeObject): string[] {
  const kind = kindOfObject(world, object);
  if (!kind || !kind.group.includes('.') || kind.group.endsWith('.k8s.io')) return [];
  return accountsFor(world, kind)
    .slice(0, MAX_KEEPERS)
    .map(({ namespace, name }) => {
      const pods = world.read
        .list(Pods, namespace)
        .filter((pod) => (pod.spec.serviceAccountName ?? 'default') === name);
      const account = refText('serviceaccount', namespace, name);
      if (pods.length === 0) return `${account} may change ${kind.plural}.${kind.group}, and no pod runs as it`;
      const unwell = pods.filter((pod) => world.explain('pods', pod, MAX_DEPTH).length > 0);
      const are = unwell.length > 0 ? `and these pods of it are not well: ${unwell.map(refOf).join(', ')}` : '';
      return `${account} may change ${kind.plural}.${kind.group}, ${are || `and its pod ${refOf(pods[0]!)} runs`}`;
    });
}

interface Account {
  readonly namespace: string;
  readonly name: string;
}

function accountsFor({ read }: World, kind: Kind): Account[] {
  const grants = ({ rules }: { readonly rules?: readonly PolicyRule[] | null }): boolean =>
    (rules ?? []).some(({ apiGroups = [] }) => apiGroups.includes(kind.group));
  const roles = new Set([
    ...read
      .list(ClusterRoles)
      .filter(grants)
      .map((role) => `ClusterRole//${role.metadata.name}`),
    ...read
      .list(Roles)
      .filter(grants)
      .map((role) => `Role/${role.metadata.namespace}/${role.metadata.name}`),
  ]);
  return [...read.list(ClusterRoleBindings), ...read.list(RoleBindings)].flatMap(({ metadata, roleRef, subjects }) => {
    const where = roleRef.kind === 'Role' ? (metadata.namespace ?? '') : '';
    if (!roles.has(`${roleRef.kind}/${where}/${roleRef.name}`)) return [];
    return (subjects ?? [])
      .filter((subject) => subject.kind === ACCOUNT)
      .map(({ name, namespace }) => ({ name, namespace: namespace ?? metadata.namespace ?? '' }));
  });
}
