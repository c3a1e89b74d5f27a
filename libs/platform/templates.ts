import {
  defaultWorkers,
  makeTemplate,
  templateKey,
  VERSION,
  type NodeSpec,
  type TemplateOptions,
} from '@terrarium/engine';
import { catalog } from '@terrarium/containers';
import { encodeCheckpoint } from '@terrarium/host';
import { templateOwner, type LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import type { NewCluster, NodeGroup } from './nouns.js';

const MAX_CACHED_BASES = 1_000;
const BASE_TTL_MS = 24 * 60 * 60_000;

/** The checkpoints that new clusters begin on: one for all clusters of equal settings, made for the first of them. */
export class Templates {
  private readonly bases = new LRUCache<string, Promise<{ template: string; revision: number }>>({
    max: MAX_CACHED_BASES,
    ttl: BASE_TTL_MS,
  });

  constructor(private readonly store: Pick<LogStore, 'saveCheckpoint'>) {}

  /** The base of a cluster with these settings; its checkpoint is in the store when this resolves. */
  ensureBase(cluster: Pick<NewCluster, 'nodes' | 'speed'>): Promise<{ template: string; revision: number }> {
    const options: TemplateOptions = { workers: workerNodes(cluster.nodes), speed: cluster.speed };
    const key = templateKey(options, VERSION);
    const known = this.bases.get(key);
    if (known) return known;
    const making = this.make(key, options);
    making.catch(() => this.bases.delete(key));
    this.bases.set(key, making);
    return making;
  }

  private async make(template: string, options: TemplateOptions): Promise<{ template: string; revision: number }> {
    const state = makeTemplate(options, catalog);
    await this.store.saveCheckpoint(templateOwner(template), state.revision, await encodeCheckpoint(state));
    return { template, revision: state.revision };
  }
}

/** A number of equal workers, or the nodes of every group, numbered by name: 'gpu-1', 'gpu-2'. */
export function workerNodes(nodes: number | readonly NodeGroup[]): NodeSpec[] {
  if (typeof nodes === 'number') return defaultWorkers(nodes);
  const used = new Map<string, number>();
  return nodes.flatMap(({ name = 'worker', count, ...shape }) =>
    Array.from({ length: count }, () => {
      const number = (used.get(name) ?? 0) + 1;
      used.set(name, number);
      return { name: `${name}-${number}`, ...shape };
    }),
  );
}
