import type { ControllerRevision } from '../api/apps_v1.js';
import type { PodTemplateSpec } from '../api/core_v1.js';
import { ControllerRevisions } from '../kinds/index.js';
import type { Client } from '../machinery/client.js';
import { deepEqual } from '../machinery/meta/equal.js';
import type { Kind } from '../machinery/kind.js';
import { keyOf, type KubeObject, type LabelSelector } from '../machinery/meta/object.js';
import { computeHash } from './hash.js';
import { claimObjects, newControllerRef } from './controller-ref-manager.js';

/** A workload whose templates are kept as ControllerRevisions. */
export interface HistoryOwner {
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly collisionCount?: number;
  /** Label that holds the hash. */
  readonly hashLabel: string;
  readonly annotations?: { [key: string]: string };
}

export interface History {
  /** The revision that has the present template. */
  readonly current: ControllerRevision;
  /** The others, oldest first. */
  readonly old: readonly ControllerRevision[];
}

/**
 * Makes the revision of the present template the newest one, and creates it when there is none. Models
 * pkg/controller/history and daemon/update.go constructHistory.
 */
export function constructHistory(client: Client, workload: HistoryOwner): History {
  const data = { spec: { template: { ...withoutCreationTimestamp(workload.template), $patch: 'replace' } } };
  const all = claimObjects(client, ControllerRevisions, workload.kind, workload.object, workload.selector).sort(
    (a, b) => a.revision - b.revision,
  );
  const found = all.filter((r) => deepEqual(r.data, data)).at(-1);
  const old = all.filter((r) => r !== found);
  const revision = Math.max(0, ...old.map((r) => r.revision)) + 1;
  if (!found)
    return {
      current: client.create(ControllerRevisions, newControllerRevision(workload, sortFields(data), revision)),
      old,
    };
  if (found.revision >= revision) return { current: found, old };
  return { current: client.update(ControllerRevisions, { ...found, revision }), old };
}

function newControllerRevision(
  workload: HistoryOwner,
  data: { [key: string]: unknown },
  revision: number,
): ControllerRevision {
  const { metadata } = workload.object;
  const hash = computeHash(workload.template, workload.collisionCount);
  const annotations = { ...metadata.annotations, ...workload.annotations };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace,
      labels: { ...workload.template.metadata?.labels, [workload.hashLabel]: hash },
      ...(Object.keys(annotations).length ? { annotations } : {}),
      ownerReferences: [newControllerRef(workload.kind, workload.object)],
    },
    data,
    revision,
  };
}

function withoutCreationTimestamp(template: PodTemplateSpec): PodTemplateSpec {
  const { creationTimestamp: _, ...metadata } = template.metadata ?? {};
  return { ...template, metadata };
}

/** Fields in alphabetical order, as Go writes maps: clients compare a revision's data by its bytes. */
function sortFields<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortFields) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sortFields(v as unknown)]),
  ) as T;
}

/** Deletes the oldest revisions beyond the limit that no pod uses any more. */
export function truncateHistory(
  client: Client,
  old: readonly ControllerRevision[],
  limit: number,
  isLive: (revision: ControllerRevision) => boolean,
): void {
  const dead = old.filter((r) => !isLive(r));
  for (const revision of dead.slice(0, Math.max(0, dead.length - limit)))
    client.delete(ControllerRevisions, keyOf(revision));
}
