import { withoutAuthority, type Anchor } from '@terrarium/engine';
import { decodeCheckpoint, encodeCheckpoint, parsePoint, type ClusterHost } from '@terrarium/host';
import { ClusterNotFound, Compacted, type ClusterRow, type LogStore, type NewCluster } from '@terrarium/store';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import type { Identity } from '../identity/identity.js';
import type { Caller } from '../identity/principal.js';
import type { CreatedClusters } from '../nouns.js';
import { Refusal, unknownCluster } from '../refusal.js';
import type { Tasks } from '../tasks.js';
import { lineageOf, type ForkSettings } from './fork-settings.js';
import type { NewForks } from './history-nouns.js';

/** So many clusters a fork reads through at most; the next one first gets a checkpoint of its own. */
const MAX_ANCESTORS = 8;
const MAX_NAME = 63;

export interface ForkParts {
  readonly clusters: Pick<Clusters, 'findRow' | 'createRows'>;
  readonly host: Pick<ClusterHost, 'past' | 'checkpoint'>;
  readonly store: Pick<LogStore, 'cluster' | 'loadSnapshot' | 'updateLife'>;
  readonly identity: Pick<Identity, 'authorityOf'>;
  readonly tasks: Pick<Tasks, 'advance' | 'wake'>;
}

/** What a fork begins on, and since when its time runs. */
interface ForkBase {
  readonly base: Pick<NewCluster, 'base' | 'start'>;
  readonly revision: number;
  readonly ancestors: readonly string[];
  readonly anchor: Anchor | undefined;
  /** It goes on from the present: nothing is due that is not due in the cluster that is forked. */
  readonly isPresent: boolean;
}

/** What each of several forks has of its own. */
export interface OwnOfFork {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** New clusters that go on from a moment of another one: each is one row, whatever the other one holds. */
export class Forks {
  constructor(private readonly parts: ForkParts) {}

  /**
   * Throws Refusal 403 when a quota is used up, 404 when there is no such cluster or snapshot, and ApiError 400 or 410
   * for a moment that is to come or no longer retained.
   */
  async fork(caller: Caller, id: string, forks: NewForks, own?: readonly OwnOfFork[]): Promise<CreatedClusters> {
    const { clusters, store } = this.parts;
    const row = await this.detachIfDeep(await clusters.findRow(requireKey(caller), id));
    const base = await this.findBase(row, forks);
    const items = await clusters.createRows(caller, toRows(row, forks, base, own)).catch(rejectAsGone(id));
    const isPaused = base.isPresent && row.pausedAt !== undefined;
    for (const fork of items) {
      if (isPaused) await store.updateLife(fork.id, { pausedAt: Date.now() });
      else this.wake(fork.id, base.isPresent ? row.nextWake : 0);
    }
    return { items: isPaused ? items.map((fork) => ({ ...fork, state: 'paused' as const })) : items };
  }

  /** `at`: real ms at which the fork has something to do. A task that is lost is found by the sweep. */
  private wake(id: string, at: number | undefined): void {
    const { tasks } = this.parts;
    if (at === undefined) return;
    const delayMs = at - Date.now();
    if (delayMs > 0) void tasks.wake(id, delayMs);
    else tasks.advance(id);
  }

  private async findBase(row: ClusterRow, { at, snapshot }: NewForks): Promise<ForkBase> {
    if (snapshot !== undefined) return this.baseOnSnapshot(row, snapshot);
    const { past } = this.parts.host;
    const lineage = lineageOf(row);
    const real = Date.now();
    if (at === undefined) {
      const { id, head: revision } = row;
      return { base: { base: { parent: id, revision } }, revision, ...lineage, isPresent: true };
    }
    const point = await past.find(row.id, parsePoint(at));
    const { revision } = point;
    const anchor = { virtual: point.now ?? (await past.timeOf(row, revision)), real };
    return { base: { base: { parent: row.id, revision } }, revision, ...lineage, anchor, isPresent: false };
  }

  /** The state is copied: a snapshot may be deleted. */
  private async baseOnSnapshot(row: ClusterRow, name: string): Promise<ForkBase> {
    const { store, identity } = this.parts;
    const snapshot = await store.loadSnapshot(row.id, name);
    if (!snapshot) throw unknownSnapshot(name);
    const { revision, at } = snapshot;
    const state = withoutAuthority(await decodeCheckpoint(snapshot.state), await identity.authorityOf(row.id));
    return {
      base: { start: { revision, state: await encodeCheckpoint(state) } },
      revision,
      ancestors: [],
      anchor: { virtual: at, real: Date.now() },
      isPresent: false,
    };
  }

  private async detachIfDeep(row: ClusterRow): Promise<ClusterRow> {
    if (row.readsParent !== true || lineageOf(row).ancestors.length <= MAX_ANCESTORS) return row;
    await this.parts.host.checkpoint(row.id);
    return (await this.parts.store.cluster(row.id)) ?? row;
  }
}

export const unknownSnapshot = (name: string): Refusal => new Refusal(404, `there is no snapshot "${name}"`);

function toRows(
  row: ClusterRow,
  forks: NewForks,
  { base, revision, ancestors, anchor, isPresent }: ForkBase,
  ofEach: readonly OwnOfFork[] | undefined,
) {
  const { name, count, seed, labels, ttl, idleTimeout } = forks;
  const createdAt = Date.now();
  const { requestHash: _, begun, ...settings } = row.settings as ForkSettings & Record<string, unknown>;
  const own: ForkSettings = {
    ancestors,
    anchor,
    forkedFrom: { clusterId: row.id, revision },
    ...(row.base && 'template' in row.base ? { templateRevision: row.base.revision } : {}),
    ...(begun && begun.revision <= revision ? { begun } : {}),
  };
  return Array.from({ length: count }, (_unused, i) => ({
    ...base,
    settings: {
      ...settings,
      ...own,
      name: ofEach?.[i]?.name ?? nameOf(name ?? String(row.settings['name']), count, i),
      ...(seed === undefined ? {} : { seed }),
    },
    labels: { ...labels, ...ofEach?.[i]?.labels },
    nodes: row.nodes,
    createdAt,
    nextWake: isPresent ? row.nextWake : createdAt,
    expiresAt: ttl === undefined ? undefined : createdAt + ttl,
    idleTimeoutMs: idleTimeout,
  }));
}

function nameOf(name: string, count: number, i: number): string {
  if (count === 1) return name;
  const suffix = `-${i + 1}`;
  return `${name.slice(0, MAX_NAME - suffix.length)}${suffix}`;
}

/** Deleted or compacted since it was looked at. */
const rejectAsGone =
  (id: string) =>
  (error: unknown): never => {
    if (error instanceof ClusterNotFound) throw unknownCluster(id);
    if (error instanceof Compacted) throw new Refusal(410, error.message);
    throw error;
  };
