import type { Base, ClusterRow, Segment } from '../log-store.js';

/** node-postgres gives bigint columns as text. */
export interface RawBase {
  base_template: string | null;
  base_parent: string | null;
  base_revision: string;
}

export interface RawCluster extends RawBase {
  id: string;
  tenant_id: string;
  head: string;
  settings: Record<string, unknown>;
  created_at: Date;
  epoch: Date;
  next_wake: Date | null;
  halted: string | null;
  labels: Record<string, string>;
  nodes: number;
  bytes: string;
  expires_at: Date | null;
  idle_timeout_ms: string | null;
  last_used_at: Date;
  paused_at: Date | null;
  reads_parent: boolean;
}

export interface RawSegment {
  first_revision: string;
  last_revision: string;
  at: Date;
  changes: Buffer;
}

/** The columns of a RawCluster. */
export const CLUSTER_COLUMNS = `id, tenant_id, head, base_template, base_parent, base_revision, settings, created_at, epoch, nullif(next_wake, 'infinity') as next_wake, halted, labels, nodes, bytes, expires_at, idle_timeout_ms, last_used_at, paused_at, reads_parent`;

/** A timestamptz parameter; 'infinity' stands for never. */
export const instant = (at: number | undefined): Date | 'infinity' => (at === undefined ? 'infinity' : new Date(at));

export function toBase(raw: RawBase): Base | undefined {
  const revision = Number(raw.base_revision);
  if (raw.base_template !== null) return { template: raw.base_template, revision };
  return raw.base_parent === null ? undefined : { parent: raw.base_parent, revision };
}

export const toClusterRow = (raw: RawCluster): ClusterRow => ({
  id: raw.id,
  tenantId: raw.tenant_id,
  head: Number(raw.head),
  base: toBase(raw),
  settings: raw.settings,
  createdAt: raw.created_at.getTime(),
  epoch: raw.epoch.getTime(),
  nextWake: raw.next_wake?.getTime(),
  halted: raw.halted ?? undefined,
  labels: raw.labels,
  nodes: raw.nodes,
  bytes: Number(raw.bytes),
  expiresAt: raw.expires_at?.getTime(),
  idleTimeoutMs: raw.idle_timeout_ms === null ? undefined : Number(raw.idle_timeout_ms),
  lastUsedAt: raw.last_used_at.getTime(),
  pausedAt: raw.paused_at?.getTime(),
  ...(raw.reads_parent ? { readsParent: true } : {}),
});

export const toSegment = (raw: RawSegment): Segment => ({
  first: Number(raw.first_revision),
  last: Number(raw.last_revision),
  at: raw.at.getTime(),
  changes: raw.changes,
});
