import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { shiftCheckpoint, type AppliedChange, type CheckpointState, type KubeObject } from '@terrarium/engine';
import { decodeChanges, restore, unpack, type ClusterRow, type LogStore, type Segment } from '@terrarium/store';

const SECOND = 1_000;
const deflateAsync = promisify(deflate);

/** Checkpoints as engine states. Templates' are parsed once and shared, frozen, by all clusters that begin on them. */
export class States {
  private readonly templates = new Map<string, CheckpointState>();

  constructor(
    private readonly store: LogStore,
    private readonly templateLimit: number,
  ) {}

  /**
   * The latest state at or before a revision; undefined when the cluster began empty. A template's is moved to the
   * cluster's own beginning.
   */
  async load(row: Pick<ClusterRow, 'id' | 'epoch'>, atMost?: number): Promise<CheckpointState | undefined> {
    const found = await this.store.loadCheckpoint(row.id, atMost);
    if (!found) return undefined;
    if (!found.owner.startsWith('template:')) return parseState(found.state);
    const key = `${found.owner}@${found.revision}`;
    let template = this.templates.get(key);
    if (!template) {
      template = deepFreeze(parseState(found.state));
      this.templates.set(key, template);
      if (this.templates.size > this.templateLimit) this.templates.delete(this.templates.keys().next().value!);
    }
    return shiftCheckpoint(template, Math.floor((row.epoch - template.now) / SECOND) * SECOND);
  }

  /** The changes after `after` up to `upTo`, in batches, rebuilt from a checkpoint and the log. Throws Compacted. */
  async *past(row: ClusterRow, after: number, upTo: number, segmentsPerRead: number): AsyncGenerator<AppliedChange[]> {
    const objects = new Map<string, KubeObject>();
    const state = await this.load(row, after);
    for (const { resource, object } of state?.objects ?? [])
      objects.set(keyOf(resource, object.metadata.namespace ?? '', object.metadata.name ?? ''), object);
    let revision = state?.revision ?? row.base?.revision ?? 0;
    while (revision < upTo) {
      const segments = await this.store.read(row.id, revision, segmentsPerRead);
      if (segments.length === 0) return;
      for (const segment of segments) {
        const applied = replay(segment, revision, objects).filter((c) => c.revision > after && c.revision <= upTo);
        revision = segment.last;
        if (applied.length > 0) yield applied;
      }
    }
  }
}

function replay(segment: Segment, revision: number, objects: Map<string, KubeObject>): AppliedChange[] {
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

const parseState = (bytes: Uint8Array): CheckpointState => JSON.parse(unpack(bytes)) as CheckpointState;

/** The state as stored bytes; the text is made at once, so that the state may go on changing. */
export function packState(state: CheckpointState): Promise<Uint8Array> {
  return deflateAsync(JSON.stringify(state), { level: 1 });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
