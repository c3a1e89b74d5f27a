import type { Clusters } from '../clusters/clusters.js';
import type { Caller } from '../identity/principal.js';
import { requireKey } from '../clusters/clusters.js';
import { Refusal } from '../refusal.js';
import type { LabActs } from './acts.js';
import type { LabSession, SessionAct, SessionQuery } from './lab-nouns.js';
import { API_VERSION } from './lab-file.js';
import type { LabShell } from './lab-shell.js';

const MAX_ACTS = 5_000;
const MAX_TIMELINE_PAGES = 20;
const TIMELINE_PAGE = 500;
const TYPED = 'type';
const ADMIN_ACTS = /^(check|fault|scenario|checkreport|timeline)\b/;

interface TimelineEntry {
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
  readonly text: string;
  readonly object: string;
  readonly verb: string;
  readonly fields: readonly string[];
}

interface CheckWithResults {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly results?: readonly {
      readonly revision: number;
      readonly time: string;
      readonly phase: string;
      readonly score: number;
    }[];
    readonly points?: number;
  };
}

/**
 * What a learner has done, in its order: typed lines, writes to the API, steps, checks that changed; each with the
 * revision at which any client can look at the cluster.
 */
export class Replays {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow'>,
    private readonly acts: LabActs,
    private readonly shell: Pick<LabShell, 'call'>,
  ) {}

  /** Throws Refusal 404, and 400 for a cursor that is none. */
  async list(caller: Caller, clusterId: string, { after, limit }: SessionQuery): Promise<LabSession> {
    const all = await this.all(caller, clusterId);
    const from = after === undefined ? 0 : indexAfter(all, after);
    const items = all.slice(from, from + limit);
    return { items, ...(from + limit < all.length ? { nextCursor: cursorOf(all, from + limit - 1) } : {}) };
  }

  /** All of it that is retained, 5,000 acts at most. Throws Refusal 404. */
  async all(caller: Caller, clusterId: string): Promise<SessionAct[]> {
    const row = await this.clusters.findRow(requireKey(caller), clusterId);
    const { forkedFrom } = row.settings as { forkedFrom?: { revision: number } };
    const begun = forkedFrom?.revision ?? 0;
    const own = (await this.acts.list(row.tenantId, clusterId, MAX_ACTS)).map((act) => ({
      type: act.kind as SessionAct['type'],
      at: new Date(Number(act.virtual)).toISOString(),
      revision: act.revision,
      text: act.text,
      actor: '',
      step: act.step,
      done: act.done,
    }));
    const found = [...own, ...(await this.writes(clusterId, begun)), ...(await this.results(clusterId, begun))];
    return found.sort((a, b) => a.revision - b.revision || a.at.localeCompare(b.at)).slice(0, MAX_ACTS);
  }

  /** What users wrote and typed since the cluster is the learner's, as far as its log is retained. */
  private async writes(id: string, begun: number): Promise<SessionAct[]> {
    const acts: SessionAct[] = [];
    let before: number | undefined;
    for (let page = 0; page < MAX_TIMELINE_PAGES; page++) {
      const spec = { ofUsers: true, limit: TIMELINE_PAGE, after: begun, ...(before === undefined ? {} : { before }) };
      const body = { apiVersion: API_VERSION, kind: 'Timeline', spec };
      const { status } = await this.shell.call<{ status: { entries: readonly TimelineEntry[]; before?: number } }>(
        id,
        'POST',
        `/apis/${API_VERSION}/timelines`,
        body,
      );
      acts.push(...status.entries.flatMap(actsOf));
      before = status.before;
      if (before === undefined) break;
    }
    return acts;
  }

  private async results(id: string, begun: number): Promise<SessionAct[]> {
    const path = `/apis/${API_VERSION}/checks`;
    const { items } = await this.shell.call<{ items: readonly CheckWithResults[] }>(id, 'GET', path);
    return items.flatMap(({ metadata, status = {} }) =>
      (status.results ?? [])
        .filter(({ revision }) => revision > begun)
        .map(({ revision, time, phase, score }) => ({
          type: 'check' as const,
          at: time,
          revision,
          text: `${metadata.name}: ${phase}, ${score} of ${status.points ?? 0}`,
          actor: '',
          step: '',
          done: phase === 'Passed',
        })),
    );
  }
}

/** A write, or each of the lines that were typed. */
function actsOf({ verb, revision, at, actor, text, object, fields }: TimelineEntry): SessionAct[] {
  const act = { at, revision, actor, step: '', done: false };
  if (verb === TYPED) return fields.map((line) => ({ ...act, type: 'command', text: line }));
  return ADMIN_ACTS.test(object) ? [] : [{ ...act, type: 'write', text }];
}

/** Of acts of one revision, which one. */
const cursorOf = (acts: readonly SessionAct[], i: number): string => {
  const { revision } = acts[i]!;
  return `${revision}.${acts.slice(0, i + 1).filter((act) => act.revision === revision).length}`;
};

function indexAfter(acts: readonly SessionAct[], cursor: string): number {
  const [, revision, nth] = /^(\d{1,15})\.(\d{1,6})$/.exec(cursor) ?? [];
  if (revision === undefined) throw new Refusal(400, 'after: must be nextCursor of the page before');
  const first = acts.findIndex((act) => act.revision >= Number(revision));
  if (first < 0) return acts.length;
  return acts[first]!.revision === Number(revision) ? first + Number(nth) : first;
}
