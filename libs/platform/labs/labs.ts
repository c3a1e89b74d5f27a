import { randomUUID } from 'node:crypto';
import { parseVersion } from '@terrarium/engine';
import { encodeCheckpoint, type ClusterHost } from '@terrarium/host';
import type { LogStore } from '@terrarium/store';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import { forTenant, type PrismaClient } from '../database.js';
import type { Prisma } from '../generated/client.js';
import type { Caller } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import type { Lab } from './lab-file.js';
import type { LabDetail, LabList, LabSummary } from './lab-nouns.js';
import { findLab, LAB_LABEL, PREPARED_LABEL, toSummary } from './lab-rows.js';
import { parseText, readLab } from './read-lab.js';
import type { LabCluster } from './run/lab-cluster.js';
import { preparing } from './run/prepare.js';
import { labTemplate } from './run/template.js';

/** Of one tenant. */
const MAX_LABS = 200;
/** What a lab may take of this process's thread until it is ready, and how long a slice lasts. Real ms. */
const MAX_WORK_MS = 20_000;
const SLICE_MS = 10;

/** Labs of tenants: each with a prepared cluster, which the clusters of its learners go on from. */
export class Labs {
  /** Tenants of which a lab is being prepared: one at a time. */
  private readonly preparing = new Set<string>();

  constructor(
    private readonly database: PrismaClient,
    private readonly clusters: Pick<Clusters, 'createRows' | 'delete'>,
    private readonly host: Pick<ClusterHost, 'loopTurns' | 'fairQueue'>,
    private readonly store: Pick<LogStore, 'updateLife'>,
  ) {}

  /**
   * Takes a lab of YAML, JSON or an object, prepares its cluster, and keeps both in place of those of before. Throws
   * Refusal 400 for what is no lab, 409 for one that is there already unless it may be replaced, 422 when it does not
   * become ready, and 403 when a quota is used up.
   */
  async put(
    caller: Caller,
    given: unknown,
    { replaces, name }: { replaces: boolean; name?: string },
  ): Promise<LabSummary> {
    const { tenantId } = requireKey(caller);
    const lab = readLab(given);
    if (name !== undefined && name !== lab.metadata.name)
      throw new Refusal(400, `metadata.name: must be "${name}", as in the path`);
    const labs = forTenant(this.database, tenantId).lab;
    const where = { tenantId_name: { tenantId, name: lab.metadata.name } };
    const old = await labs.findUnique({ where });
    if (old && !replaces) throw new Refusal(409, `a lab "${old.name}" exists already`);
    if (!old && (await labs.count({ where: { tenantId } })) >= MAX_LABS)
      throw new Refusal(403, `a tenant has at most ${MAX_LABS} labs: delete one first`);
    const { id, revision } = await this.prepare(caller, lab);
    const source = (typeof given === 'string' ? parseText(given) : given) as Prisma.InputJsonValue;
    const data = { source, clusterId: id, clusterRevision: revision };
    const row = await labs.upsert({ where, create: { ...data, tenantId, name: lab.metadata.name }, update: data });
    if (old) await this.deleteCluster(caller, old.clusterId);
    return toSummary({ row, lab });
  }

  async list(caller: Caller): Promise<LabList> {
    const { tenantId } = requireKey(caller);
    const rows = await forTenant(this.database, tenantId).lab.findMany({
      where: { tenantId },
      orderBy: { name: 'asc' },
    });
    return { items: rows.map((row) => toSummary({ row, lab: readLab(row.source) })) };
  }

  /** Throws Refusal 404. */
  async get(caller: Caller, name: string): Promise<LabDetail> {
    const known = await findLab(this.database, requireKey(caller).tenantId, name);
    return { ...toSummary(known), manifest: known.row.source as LabDetail['manifest'] };
  }

  /** The clusters of its learners stay. Throws Refusal 404. */
  async delete(caller: Caller, name: string): Promise<void> {
    const { tenantId } = requireKey(caller);
    const { row } = await findLab(this.database, tenantId, name);
    const tables = forTenant(this.database, tenantId);
    await tables.lab.deleteMany({ where: { tenantId, id: row.id } });
    await tables.labAct.deleteMany({ where: { tenantId, lab: name } });
    await this.deleteCluster(caller, row.clusterId);
  }

  /** Its own users may have deleted it: that is as well. */
  private async deleteCluster(caller: Caller, id: string): Promise<void> {
    try {
      await this.clusters.delete(caller, id);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    }
  }

  private async prepare(caller: Caller, lab: Lab): Promise<{ id: string; revision: number }> {
    const { tenantId } = caller;
    if (this.preparing.has(tenantId)) throw new Refusal(429, 'another lab is being prepared: try again in a moment');
    this.preparing.add(tenantId);
    try {
      const seed = randomUUID();
      return await this.keep(caller, lab, seed, await this.runInSlices(tenantId, lab, seed));
    } finally {
      this.preparing.delete(tenantId);
    }
  }

  /** Between two slices other tenants have their turns. */
  private async runInSlices(tenantId: string, lab: Lab, seed: string): Promise<LabCluster> {
    const { loopTurns, fairQueue } = this.host;
    const work = preparing(lab, seed, Date.now());
    let worked = 0;
    for (;;) {
      await loopTurns.next(tenantId);
      const started = performance.now();
      for (;;) {
        const { done, value } = work.next();
        if (done) return value;
        if (performance.now() - started > SLICE_MS) break;
      }
      const took = performance.now() - started;
      fairQueue.recordCost(tenantId, 1, took);
      worked += took;
      if (worked > MAX_WORK_MS)
        throw new Refusal(
          422,
          `the lab has not become ready in ${MAX_WORK_MS / 1_000} s of work: it asks for too much`,
        );
    }
  }

  /** The state becomes a cluster in which nothing happens. */
  private async keep(
    caller: Caller,
    lab: Lab,
    seed: string,
    cluster: LabCluster,
  ): Promise<{ id: string; revision: number }> {
    const state = cluster.checkpoint();
    const createdAt = Date.now();
    const nodes = labTemplate(lab.spec.cluster).workers.length;
    const settings = {
      ...{ name: `lab-${lab.metadata.name}`, template: 'default', speed: lab.spec.cluster.speed, seed, nodes },
      version: parseVersion(lab.spec.cluster.version),
      anchor: { virtual: state.now, real: createdAt },
    };
    const labels = { [LAB_LABEL]: lab.metadata.name, [PREPARED_LABEL]: 'true' };
    const start = { revision: state.revision, state: await encodeCheckpoint(state) };
    const [made] = await this.clusters.createRows(caller, [{ settings, start, labels, nodes, createdAt }]);
    await this.store.updateLife(made!.id, { pausedAt: createdAt });
    return { id: made!.id, revision: state.revision };
  }
}
