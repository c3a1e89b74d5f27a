import type { AppliedChange, KubeObject } from '@terrarium/engine';
import {
  Compacted,
  decodeChanges,
  isReset,
  restore,
  type ClusterRow,
  type LogStore,
  type Segment,
} from '@terrarium/store';
import type { CheckpointCache } from '../clusters/checkpoint-cache.js';

/** Reads past changes from the store, with the object that each of them replaced. */
export class ChangeHistory {
  constructor(
    private readonly store: Pick<LogStore, 'oldestRetained' | 'read'>,
    private readonly checkpoints: CheckpointCache,
    /** Segments of one read. */
    private readonly readSegments: number,
  ) {}

  /** Changes after this revision can be read. Rejects with ClusterNotFound. */
  oldestRetained(id: string): Promise<number> {
    return this.store.oldestRetained(id);
  }

  /** The changes after `after` up to `upTo`, in batches. Rejects with Compacted. */
  async *changesBetween(row: ClusterRow, after: number, upTo: number): AsyncGenerator<AppliedChange[]> {
    const state = await this.checkpoints.load(row, after);
    const objects = new Map<string, KubeObject>();
    for (const { resource, object } of state?.objects ?? [])
      objects.set(keyOf(resource, object.metadata.namespace ?? '', object.metadata.name ?? ''), object);
    let revision = state?.revision ?? row.base?.revision ?? 0;
    while (revision < upTo) {
      const segments = await this.store.read(row.id, revision, this.readSegments);
      if (segments.length === 0) return;
      for (const segment of segments) {
        if (isReset(segment)) throw new Compacted(segment.last);
        const changes = replaySegment(segment, revision, objects);
        revision = segment.last;
        const inRange = changes.filter((change) => change.revision > after && change.revision <= upTo);
        if (inRange.length > 0) yield inRange;
      }
    }
  }
}

/** Applies the segment's changes after `revision` to the objects. */
function replaySegment(segment: Segment, revision: number, objects: Map<string, KubeObject>): AppliedChange[] {
  const applied: AppliedChange[] = [];
  for (const stored of decodeChanges(segment.changes, segment.first)) {
    if (stored.revision <= revision || stored.revision > segment.last) continue;
    const key = keyOf(stored.resource, stored.namespace, stored.name);
    const old = objects.get(key);
    const change = restore(stored, old);
    if (change.type === 'put') objects.set(key, change.object);
    else objects.delete(key);
    applied.push({ ...change, old });
  }
  return applied;
}

const keyOf = (resource: string, namespace: string, name: string): string => `${resource}/${namespace}/${name}`;
