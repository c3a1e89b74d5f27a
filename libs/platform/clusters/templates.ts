import {
  DEFAULT_NAMES,
  DEFAULT_VERSION,
  defaultWorkers,
  makeTemplate,
  parseVersion,
  templateKey,
  type ClusterNames,
  type NodeSpec,
  type TemplateOptions,
} from '@terrarium/engine';
import { catalog } from '@terrarium/containers';
import { encodeCheckpoint, type Pacer } from '@terrarium/host';
import { templateOwner, type LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { nodeCount, type NewCluster, type NodeGroup } from '../nouns.js';
import { Refusal } from '../refusal.js';

type NameChoices = Pick<NewCluster, 'controlPlane' | 'storageClass' | 'version' | 'ipFamilies'> &
  Partial<Pick<NewCluster, 'controlPlaneTaint'>>;
type TemplateChoices = Pick<NewCluster, 'nodes' | 'speed'> & NameChoices;

const MAX_CACHED_BASES = 1_000;
const BASE_TTL_MS = 24 * 60 * 60_000;

/** The checkpoints that new clusters begin on: one for all clusters of equal settings, made for the first of them. */
export class Templates {
  private readonly bases = new LRUCache<string, Promise<{ template: string; revision: number }>>({
    max: MAX_CACHED_BASES,
    ttl: BASE_TTL_MS,
  });

  constructor(
    private readonly store: Pick<LogStore, 'saveCheckpoint'>,
    private readonly pacer: Pick<Pacer, 'run'>,
  ) {}

  /**
   * The base of a tenant's cluster with these settings; its checkpoint is in the store when this resolves. Rejects with
   * ApiError 429 when too many new templates of the tenant wait to be made.
   */
  ensureBase(tenantId: string, cluster: TemplateChoices): Promise<{ template: string; revision: number }> {
    const options: TemplateOptions = {
      workers: workerNodes(cluster),
      speed: cluster.speed,
      names: clusterNames(cluster),
    };
    const key = templateKey(options, DEFAULT_VERSION);
    const known = this.bases.get(key);
    if (known) return known;
    const making = this.make(tenantId, key, options);
    // The caller is told of the error; the next one tries again.
    making.catch(() => this.bases.delete(key));
    this.bases.set(key, making);
    return making;
  }

  /** Housekeeping has dropped a template that was known here: each is made again when it is needed. */
  forget(): void {
    this.bases.clear();
  }

  private async make(
    tenantId: string,
    template: string,
    options: TemplateOptions,
  ): Promise<{ template: string; revision: number }> {
    // To make 200 nodes takes half a second of this process's one thread.
    const costClass = `template ${Math.ceil(Math.log2(options.workers.length + 1))}`;
    const state = await this.pacer.run(tenantId, costClass, () => makeTemplate(options, catalog));
    await this.store.saveCheckpoint(templateOwner(template), state.revision, await encodeCheckpoint(state));
    return { template, revision: state.revision };
  }
}

/** The names that the creator has chosen; the version in the engine's form, 'v1.36.4'. */
export const clusterNames = (choices: NameChoices): ClusterNames => {
  const { controlPlane, controlPlaneTaint, storageClass, version, ipFamilies } = choices;
  return {
    ...{ controlPlane, storageClass },
    version: parseVersion(version) ?? DEFAULT_NAMES.version,
    ...(controlPlaneTaint === false ? { untainted: true } : {}),
    ...(ipFamilies?.includes('IPv6') ? { dualStack: true } : {}),
  };
};

/**
 * A number of equal workers, or the nodes of every group: under names of their own, or numbered by the group's name
 * ('gpu-1', 'gpu-2'). Throws Refusal 400 when two nodes of the cluster would have one name.
 */
export function workerNodes({ nodes, controlPlane }: Pick<TemplateChoices, 'nodes' | 'controlPlane'>): NodeSpec[] {
  const workers = typeof nodes === 'number' ? defaultWorkers(nodes) : groupNodes(nodes);
  const used = new Set([controlPlane]);
  for (const { name } of workers) {
    if (used.has(name)) throw new Refusal(400, `nodes: two nodes are called "${name}"`);
    used.add(name);
  }
  return workers;
}

function groupNodes(groups: readonly NodeGroup[]): NodeSpec[] {
  const numbers = new Map<string, number>();
  const nextName = (prefix: string): string => {
    const number = (numbers.get(prefix) ?? 0) + 1;
    numbers.set(prefix, number);
    return `${prefix}-${number}`;
  };
  return groups.flatMap(({ name = 'worker', names, count, ...shape }) =>
    Array.from({ length: nodeCount({ count, names }) }, (_, i) => ({ name: names?.[i] ?? nextName(name), ...shape })),
  );
}
