import { shiftCheckpoint, type CheckpointState } from '@terrarium/engine';
import type { ClusterRow, LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { decodeCheckpoint } from './checkpoint-codec.js';

const SECOND = 1_000;

/**
 * Loads checkpoints from the store. A template's checkpoint is parsed once and shared, frozen, by all clusters that
 * begin on it.
 */
export class CheckpointCache {
  private readonly templates: LRUCache<string, Promise<CheckpointState>>;

  /** Keeps the checkpoints of at most `maxTemplates` templates. */
  constructor(
    private readonly store: Pick<LogStore, 'loadCheckpoint'>,
    maxTemplates: number,
  ) {
    this.templates = new LRUCache({ max: maxTemplates });
  }

  /**
   * The latest state at or before the revision `atMost`; undefined when the cluster began empty. A template's state is
   * moved in time to the beginning of the cluster's own history.
   */
  async load(row: Pick<ClusterRow, 'id' | 'epoch'>, atMost?: number): Promise<CheckpointState | undefined> {
    const checkpoint = await this.store.loadCheckpoint(row.id, atMost);
    if (!checkpoint) return undefined;
    const { owner, revision, state } = checkpoint;
    // Of what many forks begin on they share one copy. The row says the revision: a state that a cluster was put back
    // to was written before that was known.
    if (!owner.startsWith('template:')) {
      const isShared = owner !== row.id;
      const known = isShared ? this.templateState(`${owner}@${revision}`, state) : decodeCheckpoint(state);
      return { ...(await known), revision };
    }
    const template = await this.templateState(`${owner}@${revision}`, state);
    return shiftCheckpoint(template, Math.floor((row.epoch - template.now) / SECOND) * SECOND);
  }

  private templateState(key: string, bytes: Uint8Array): Promise<CheckpointState> {
    const cached = this.templates.get(key);
    if (cached) return cached;
    const state = decodeCheckpoint(bytes).then(deepFreeze);
    this.templates.set(key, state);
    return state;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
