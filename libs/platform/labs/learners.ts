import type { ClusterRow, LogStore } from '@terrarium/store';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import type { PrismaClient } from '../database.js';
import type { CreatedToken } from '../identity/access-nouns.js';
import type { Caller } from '../identity/principal.js';
import type { Tokens } from '../identity/tokens/tokens.js';
import { Refusal } from '../refusal.js';
import type { Forks } from '../snapshots/forks.js';
import type { LabActs } from './acts.js';
import type { LabSpec } from './lab-file.js';
import type { Learner, LearnerList, NewLearners, NewLearnerToken, StartedLearners } from './lab-nouns.js';
import { findLab, LAB_LABEL, LEARNER_LABEL, PREPARED_LABEL, type KnownLab } from './lab-rows.js';
import { placeOf } from './place.js';
import type { CheckReports } from './check-reports.js';
import type { CheckState } from './run/steps.js';

/** Of one lab at a time. */
export const MAX_LEARNERS = 1_000;
/** So much of a lab's name as leaves room for a learner's, in a cluster's name of 63 characters. */
const MAX_LAB_NAME = 22;
const PAGE = 500;
/** Reports that are read at the same time. */
const AT_ONCE = 8;

export interface LearnersParts {
  readonly database: PrismaClient;
  readonly clusters: Pick<Clusters, 'toCluster'>;
  readonly forks: Pick<Forks, 'fork'>;
  readonly store: Pick<LogStore, 'list'>;
  readonly tokens: Pick<Tokens, 'create'>;
  readonly acts: Pick<LabActs, 'doneSteps'>;
  readonly reports: Pick<CheckReports, 'of'>;
}

/** Learners of labs: each has a cluster, which is found by its labels. */
export class Learners {
  constructor(private readonly parts: LearnersParts) {}

  /**
   * Clusters that go on from the prepared one; all or none. Throws Refusal 404, 409 for a name that there is, and 403
   * when a quota is used up.
   */
  async start(caller: Caller, name: string, learners: NewLearners): Promise<StartedLearners> {
    const { tenantId } = requireKey(caller);
    const { row } = await findLab(this.parts.database, tenantId, name);
    const present = new Set((await this.rowsOf(tenantId, name)).map((one) => one.labels[LEARNER_LABEL]));
    const { ttl, idleTimeout, count = 0, names = freeNames(present, count) } = learners;
    const taken = names.find((one) => present.has(one));
    if (taken !== undefined) throw new Refusal(409, `a learner "${taken}" exists already`);
    if (present.size + names.length > MAX_LEARNERS)
      throw new Refusal(403, `a lab has at most ${MAX_LEARNERS} learners at once`);
    const own = names.map((learner) => ({
      // The cluster's name is no key: the labels say whose it is.
      name: `${name.slice(0, MAX_LAB_NAME)}-${learner}`,
      labels: { [LAB_LABEL]: name, [LEARNER_LABEL]: learner },
    }));
    const forks = { count: names.length, at: String(row.clusterRevision), labels: {}, ttl, idleTimeout };
    const { items } = await this.parts.forks.fork(caller, row.clusterId, forks, own);
    return { items: items.map(({ id }, i) => ({ name: names[i]!, clusterId: id })) };
  }

  /** Throws Refusal 404. */
  async mustKnow(caller: Caller, name: string): Promise<void> {
    await findLab(this.parts.database, requireKey(caller).tenantId, name);
  }

  /** How far all of them are. Throws Refusal 404. */
  async list(caller: Caller, name: string): Promise<LearnerList> {
    const { tenantId } = requireKey(caller);
    const { acts, database } = this.parts;
    const known = await findLab(database, tenantId, name);
    const rows = await this.rowsOf(tenantId, name);
    const done = await acts.doneSteps(tenantId, name);
    const items: Learner[] = [];
    for (let i = 0; i < rows.length; i += AT_ONCE)
      items.push(
        ...(await Promise.all(
          rows.slice(i, i + AT_ONCE).map((row) => this.toLearner(known, row, done.get(row.id) ?? new Set())),
        )),
      );
    return { lab: name, items: items.sort((a, b) => compareNames(a.name, b.name)) };
  }

  /** Its holder acts as the lab's learner, held by RBAC. Throws Refusal 404. */
  async createToken(caller: Caller, name: string, learner: string, given: NewLearnerToken): Promise<CreatedToken> {
    const { tenantId } = requireKey(caller);
    const { lab } = await findLab(this.parts.database, tenantId, name);
    const rows = await this.rowsOf(tenantId, name, learner);
    if (!rows[0]) throw new Refusal(404, `there is no learner "${learner}" of the lab "${name}"`);
    const { user, groups } = lab.spec.learner;
    return this.parts.tokens.create(caller, rows[0].id, { ...given, user, groups });
  }

  private async toLearner({ lab }: KnownLab, row: ClusterRow, done: ReadonlySet<string>): Promise<Learner> {
    const { score, points, checks, lastCommand } = await this.parts.reports.of(row);
    const { id, state, revision, lastUsedAt } = this.parts.clusters.toCluster(row);
    return {
      name: row.labels[LEARNER_LABEL] ?? '',
      clusterId: id,
      ...placeOf(lab.spec, done, checks),
      ...{ score, points, checks: ownChecks(lab.spec, checks), revision, state },
      lastActivity: lastUsedAt,
      lastCommand,
    };
  }

  private async rowsOf(tenantId: string, lab: string, learner?: string): Promise<ClusterRow[]> {
    const labels = { [LAB_LABEL]: lab, ...(learner === undefined ? {} : { [LEARNER_LABEL]: learner }) };
    const rows: ClusterRow[] = [];
    for (let after: string | undefined; rows.length <= MAX_LEARNERS;) {
      const page = await this.parts.store.list(tenantId, { limit: PAGE, after, labels });
      rows.push(...page);
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
    return rows.filter((row) => row.labels[PREPARED_LABEL] === undefined && row.labels[LEARNER_LABEL] !== undefined);
  }
}

const ownChecks = ({ checks }: LabSpec, all: readonly CheckState[]): CheckState[] => {
  const names = new Set(checks.map(({ name }) => name));
  return all.filter(({ name }) => names.has(name));
};

/** learner-1, learner-2 and so on, of those that are not taken. */
function freeNames(taken: ReadonlySet<string | undefined>, count: number): string[] {
  const names: string[] = [];
  for (let number = 1; names.length < count; number++)
    if (!taken.has(`learner-${number}`)) names.push(`learner-${number}`);
  return names;
}

const compareNames = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
