import type { Deployment, ReplicaSet } from '../../api/apps_v1.js';
import type { PodTemplateSpec } from '../../api/core_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';

export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
export const HASH_LABEL = 'pod-template-hash';
const HISTORY_MAX_CHARACTERS = 2000;
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

export const replicasOf = (rs: ReplicaSet): number => rs.spec.replicas ?? 1;
export const desiredReplicas = (d: Deployment): number => d.spec.replicas ?? 1;
export const sum = (sets: readonly ReplicaSet[], count: (rs: ReplicaSet) => number | undefined): number =>
  sets.reduce((n, rs) => n + (count(rs) ?? 0), 0);
export const active = (sets: readonly ReplicaSet[]): ReplicaSet[] => sets.filter((rs) => replicasOf(rs) > 0);
/** An int64, which a number can not hold. */
export const revisionOf = (object: Deployment | ReplicaSet): bigint => parseRevision(object.metadata.annotations);
const parseRevision = (annotations: { [key: string]: string } | undefined): bigint => {
  const text = annotations?.[REVISION] ?? '';
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : 0n;
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  compareText(a.metadata.name ?? '', b.metadata.name ?? '');
export const bySizeNewer = (a: ReplicaSet, b: ReplicaSet): number => replicasOf(b) - replicasOf(a) || byAge(b, a);
export const bySizeOlder = (a: ReplicaSet, b: ReplicaSet): number => replicasOf(b) - replicasOf(a) || byAge(a, b);
export const byRevision = (a: ReplicaSet, b: ReplicaSet): number =>
  Number(revisionOf(a) - revisionOf(b)) || byAge(a, b);

/** Whether templates differ in nothing but the hash label. Models deployment/util EqualIgnoreHash. */
export function equalIgnoreHash(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return deepEqual(a?.spec, b?.spec) && deepEqual(metadataWithoutHash(a), metadataWithoutHash(b));
}

function metadataWithoutHash(template: PodTemplateSpec | undefined): unknown {
  const { labels = {}, creationTimestamp: _, ...rest } = template?.metadata ?? {};
  const { [HASH_LABEL]: __, ...own } = labels;
  return { ...rest, labels: own };
}

/** The ReplicaSet that has the Deployment's template: the oldest, when there are several. */
export const findNewReplicaSet = (d: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  [...sets].sort(byAge).find((rs) => equalIgnoreHash(rs.spec.template, d.spec.template));

/** The annotations that the new ReplicaSet should have. Models deployment/util SetNewReplicaSetAnnotations. */
export function newReplicaSetAnnotations(
  d: Deployment,
  current: { [key: string]: string } | undefined,
  revision: bigint,
): { [key: string]: string } {
  const next = { ...current };
  for (const [name, value] of Object.entries(d.metadata.annotations ?? {}))
    if (!NOT_COPIED.has(name)) next[name] = value;
  const before = current?.[REVISION];
  if (parseRevision(current) >= revision) return next;
  next[REVISION] = String(revision);
  if (before !== undefined) next[REVISION_HISTORY] = extendRevisionHistory(current?.[REVISION_HISTORY], before);
  return next;
}

function extendRevisionHistory(history: string | undefined, revision: string): string {
  if (!history) return revision;
  const revisions = [...history.split(','), revision];
  while (revisions.join(',').length > HISTORY_MAX_CHARACTERS && revisions.length > 1) revisions.shift();
  return revisions.join(',');
}
