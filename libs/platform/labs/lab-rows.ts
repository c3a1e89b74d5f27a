import type { ClusterRow } from '@terrarium/store';
import { forTenant, type PrismaClient } from '../database.js';
import type { Lab as Row } from '../generated/client.js';
import { Refusal } from '../refusal.js';
import type { Lab } from './lab-file.js';
import type { LabSummary } from './lab-nouns.js';
import { readLab } from './read-lab.js';

/** Labels by which a learner's cluster is found, and the lab's own. */
export const LAB_LABEL = 'lab.terrarium.dev/name';
export const LEARNER_LABEL = 'lab.terrarium.dev/learner';
export const PREPARED_LABEL = 'lab.terrarium.dev/prepared';

/** A lab with its row. */
export interface KnownLab {
  readonly row: Row;
  readonly lab: Lab;
}

export const unknownLab = (name: string): Refusal => new Refusal(404, `there is no lab "${name}"`);

/** Throws Refusal 404. */
export async function findLab(database: PrismaClient, tenantId: string, name: string): Promise<KnownLab> {
  const row = await forTenant(database, tenantId).lab.findUnique({ where: { tenantId_name: { tenantId, name } } });
  if (!row) throw unknownLab(name);
  return { row, lab: readLab(row.source) };
}

/** The lab of a learner's cluster. Throws Refusal 404 when it is of none. */
export async function labOfCluster(database: PrismaClient, { id, tenantId, labels }: ClusterRow): Promise<KnownLab> {
  const name = labels[LAB_LABEL];
  if (name === undefined || labels[LEARNER_LABEL] === undefined)
    throw new Refusal(404, `the cluster "${id}" is no learner’s of a lab`);
  return findLab(database, tenantId, name);
}

export function toSummary({ row, lab }: KnownLab): LabSummary {
  const { title, summary, minutes, steps, checks } = lab.spec;
  return {
    name: row.name,
    ...{ title, summary, minutes },
    steps: steps.length,
    checks: checks.length,
    clusterId: row.clusterId,
    revision: row.clusterRevision,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
