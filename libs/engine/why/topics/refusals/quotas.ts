import type { ResourceQuota } from '../../../api/core_v1.js';
import { PersistentVolumeClaims, Pods, ResourceQuotas } from '../../../kinds/index.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { isInScopes } from '../../../kinds/core/resourcequota/usage.js';
import { controllerOf, type KubeObject } from '../../../machinery/meta/object.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, refOf, refText, type World } from '../../world.js';

const NAMED = /(?:exceeded|failed) quota: ([a-z0-9.-]+?)[,:]/;
const MAX_USERS = 10;

/** The quota that a refusal names: what it counts, and whose objects use it. */
export function quotaFindings(world: World, namespace: string, message: string): WhyFinding[] {
  const name = NAMED.exec(message)?.[1];
  const quota = name === undefined ? undefined : world.read.get(ResourceQuotas, { namespace, name });
  if (!quota) return [];
  const { hard = {}, used = {} } = quota.status ?? {};
  const counts = Object.keys(hard).map((what) => `${what}: ${used[what] ?? '0'} of ${hard[what]}`);
  const text = `it allows so much in the namespace ${namespace}: ${counts.join(', ')}${scopeText(quota)}`;
  return [findingOf(quota, 'ResourceQuota', text, { details: quotaUsers(world, quota) })];
}

/** Whose pods and claims a quota counts. */
export function quotaUsers({ read }: World, quota: ResourceQuota): string[] {
  const { metadata, spec, status } = quota;
  const names = Object.keys(status?.hard ?? spec?.hard ?? {});
  const isOf = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  const namespace = metadata.namespace ?? '';
  const pods = read.list(Pods, namespace).filter((pod) => !isPodTerminal(pod) && isInScopes(quota, 'pods', pod));
  return [
    ...(isOf(/^(pods|count\/pods|cpu|memory|requests\.(cpu|memory)|limits\.)/) ? usersText(pods, 'pods') : []),
    ...(isOf(/storage$|persistentvolumeclaims/)
      ? usersText(read.list(PersistentVolumeClaims, namespace), 'claims')
      : []),
  ];
}

/** 'job/shop/import has 3 pods'. */
function usersText(objects: readonly KubeObject[], noun: string): string[] {
  const counts = new Map<string, number>();
  for (const object of objects) {
    const owner = controllerOf(object);
    const ref = owner ? refText(owner.kind.toLowerCase(), object.metadata.namespace ?? '', owner.name) : refOf(object);
    counts.set(ref, (counts.get(ref) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_USERS)
    .map(([ref, count]) => (count === 1 ? `it counts ${ref}` : `it counts ${count} ${noun} of ${ref}`));
}

const SCOPES: Readonly<Record<string, string>> = {
  BestEffort: 'whose containers have no requests and no limits',
  NotBestEffort: 'of which a container has requests or limits',
  Terminating: 'that have activeDeadlineSeconds',
  NotTerminating: 'that have no activeDeadlineSeconds',
  PriorityClass: 'that name a priority class',
  CrossNamespacePodAffinity: 'whose affinity looks into other namespaces',
};

/** '; it counts pods alone whose containers have no requests and no limits (scope BestEffort)'. */
function scopeText({ spec }: ResourceQuota): string {
  const selected = (spec?.scopeSelector?.matchExpressions ?? []).map(({ scopeName, operator, values = [] }) =>
    `${scopeName} ${operator} ${values.join(', ')}`.trim(),
  );
  const scopes = (spec?.scopes ?? []).map((scope) => `${SCOPES[scope] ?? ''} (scope ${scope})`);
  const all = [...scopes, ...selected.map((text) => `of the scope ${text}`)];
  return all.length > 0 ? `; it counts pods alone ${all.join(' and ')}` : '';
}
