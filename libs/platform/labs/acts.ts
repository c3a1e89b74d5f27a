import type { LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { COARSE_TTL } from '../coarse-ttl.js';
import { forTenant, type PrismaClient } from '../database.js';
import type { LabAct } from '../generated/client.js';
import { LAB_LABEL, LEARNER_LABEL } from './lab-rows.js';

/** Of one cluster, and of one line. */
const MAX_ACTS = 5_000;
const MAX_TEXT = 1_000;
const MAX_KNOWN = 20_000;
const KNOWN_MS = 60_000;

export type ActKind = 'enter' | 'verify';

export interface NewAct {
  readonly kind: ActKind;
  readonly text?: string;
  readonly step?: string;
  readonly done?: boolean;
}

export interface Moment {
  readonly revision: number;
  /** Virtual ms. */
  readonly virtual: number;
}

/** What learners do that no change of their cluster tells: steps that they begin and end. */
export class LabActs {
  /** The tenant and lab of clusters; '' for those of none. */
  private readonly labs = new LRUCache<string, string>({ max: MAX_KNOWN, ttl: KNOWN_MS, ...COARSE_TTL });
  private readonly counts = new LRUCache<string, number>({ max: MAX_KNOWN });

  constructor(
    private readonly database: PrismaClient,
    private readonly store: Pick<LogStore, 'cluster'>,
    private readonly present: (clusterId: string) => Promise<Moment>,
  ) {}

  /** Nothing is kept of a cluster that is no learner's, nor beyond the limit of one cluster. */
  async record(clusterId: string, act: NewAct): Promise<void> {
    const known = await this.labOf(clusterId);
    if (known === '') return;
    const [tenantId = '', lab = ''] = known.split('/');
    const { labAct } = forTenant(this.database, tenantId);
    const count = this.counts.get(clusterId) ?? (await labAct.count({ where: { tenantId, clusterId } }));
    // Which steps were begun has to be known, however often somebody has asked whether he is done.
    if (count >= MAX_ACTS && act.kind !== 'enter') return;
    this.counts.set(clusterId, count + 1);
    const { revision, virtual } = await this.present(clusterId);
    const text = (act.text ?? '').replaceAll('\0', '').slice(0, MAX_TEXT);
    await labAct.create({
      data: { ...act, text, tenantId, lab, clusterId, revision, virtual: BigInt(Math.floor(virtual)) },
    });
  }

  /** Of one cluster, in their order. */
  list(tenantId: string, clusterId: string, limit: number, after = 0n): Promise<LabAct[]> {
    const where = { tenantId, clusterId, id: { gt: after } };
    return forTenant(this.database, tenantId).labAct.findMany({ where, orderBy: { id: 'asc' }, take: limit });
  }

  /** Whether a step was begun before. */
  async hasEntered(tenantId: string, clusterId: string, step: string): Promise<boolean> {
    const where = { tenantId, clusterId, kind: 'enter', step };
    return (await forTenant(this.database, tenantId).labAct.findFirst({ where, select: { id: true } })) !== null;
  }

  /** Names of the steps that were verified, by cluster. */
  async doneSteps(tenantId: string, lab: string): Promise<Map<string, Set<string>>> {
    const rows = await forTenant(this.database, tenantId).labAct.groupBy({
      by: ['clusterId', 'step'],
      where: { tenantId, lab, kind: 'verify', done: true },
    });
    const steps = new Map<string, Set<string>>();
    for (const { clusterId, step } of rows) steps.set(clusterId, (steps.get(clusterId) ?? new Set()).add(step));
    return steps;
  }

  private async labOf(clusterId: string): Promise<string> {
    const known = this.labs.get(clusterId);
    if (known !== undefined) return known;
    const row = await this.store.cluster(clusterId);
    const lab = row?.labels[LEARNER_LABEL] === undefined ? undefined : row.labels[LAB_LABEL];
    const found = row && lab !== undefined ? `${row.tenantId}/${lab}` : '';
    this.labs.set(clusterId, found);
    return found;
  }
}
