import { shiftCheckpoint, type CheckpointState } from '@terrarium/engine';
import { decodeCheckpoint, type ClusterHost } from '@terrarium/host';
import { TemplateNotFound, type ClusterRow, type LogStore } from '@terrarium/store';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import type { Caller } from '../identity/principal.js';
import type { Cluster } from '../nouns.js';
import { Refusal } from '../refusal.js';
import type { Tasks } from '../tasks.js';
import { forkSettingsOf, type ForkSettings } from './fork-settings.js';
import { unknownSnapshot } from './forks.js';
import type { Restore } from './history-nouns.js';

const CLOCKS = 'clocks.terrarium.dev';
const SECOND_MS = 1_000;

/** The state that a cluster is put back to, and what of its settings follows from it. */
interface Restored {
  readonly state: CheckpointState;
  readonly settings: { readonly anchor: ForkSettings['anchor'] | null };
}

/**
 * Puts clusters back to a snapshot or to their template in place: id, kubeconfig and tokens stay, watches get 410 and
 * list again, as after a restore of etcd. What was before can still be read, as long as the log retains it.
 */
export class Restores {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow' | 'toCluster'>,
    private readonly host: Pick<ClusterHost, 'reset'>,
    private readonly store: Pick<LogStore, 'loadSnapshot' | 'loadCheckpoint' | 'updateLife'>,
    private readonly tasks: Pick<Tasks, 'advance'>,
  ) {}

  /** Throws Refusal 404 when there is no such snapshot, 409 when the template is gone or others write all the time. */
  async restore(caller: Caller, id: string, { snapshot, template = false }: Restore): Promise<Cluster> {
    const row = await this.clusters.findRow(requireKey(caller), id);
    if ((snapshot === undefined) !== template)
      throw new Refusal(400, 'either the name of a snapshot or "template": true must be given');
    const now = Date.now();
    const { state, settings } =
      snapshot === undefined ? await this.templateState(row, now) : await this.snapshotState(row, snapshot, now);
    await this.host.reset(id, state, settings);
    const updated = await this.store.updateLife(id, { pausedAt: isPaused(state) ? now : null });
    this.tasks.advance(id);
    return this.clusters.toCluster(updated);
  }

  private async snapshotState({ id }: ClusterRow, name: string, real: number): Promise<Restored> {
    const snapshot = await this.store.loadSnapshot(id, name);
    if (!snapshot) throw unknownSnapshot(name);
    const state = await decodeCheckpoint(snapshot.state);
    return { state, settings: { anchor: { virtual: snapshot.at, real } } };
  }

  /** A fork has its template as long as it reads the rows of those that it comes from. */
  private async templateState(row: ClusterRow, now: number): Promise<Restored> {
    const base = row.base && 'template' in row.base ? row.base.revision : forkSettingsOf(row).templateRevision;
    const found = base === undefined ? undefined : await this.store.loadCheckpoint(row.id, base).catch(asUndefined);
    if (!found?.owner.startsWith('template:'))
      throw new Refusal(409, 'the cluster no longer has a template: put it back to a snapshot');
    const template = await decodeCheckpoint(found.state);
    const shift = Math.floor((now - template.now) / SECOND_MS) * SECOND_MS;
    return { state: shiftCheckpoint(template, shift), settings: { anchor: null } };
  }
}

const isPaused = ({ objects }: CheckpointState): boolean =>
  objects.some(
    ({ resource, object }) => resource === CLOCKS && (object as { spec?: { paused?: boolean } }).spec?.paused === true,
  );

function asUndefined(error: unknown): undefined {
  if (error instanceof TemplateNotFound) return undefined;
  throw error;
}
