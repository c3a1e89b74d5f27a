import type { ClusterRow } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { API_VERSION } from './lab-file.js';
import type { LabShell } from './lab-shell.js';
import { checkOf, type CheckObject, type CheckState } from './run/steps.js';

const MAX_KNOWN = 5_000;
/** How old a report of a cluster that has changed may be: of one that is in use, and of one that runs by itself. Ms. */
const FRESH_MS = 2_000;
const IDLE_FRESH_MS = 30_000;
const IDLE_MS = 2 * 60_000;

export interface CheckReport {
  readonly score: number;
  readonly points: number;
  readonly checks: readonly CheckState[];
  /** What was typed last in a terminal of the cluster; '' before. */
  readonly lastCommand: string;
}

interface TypedInput {
  readonly number: number;
  readonly lines: readonly string[];
}

interface Known extends CheckReport {
  readonly head: number;
  readonly readAt: number;
}

const NONE: CheckReport = { score: 0, points: 0, checks: [], lastCommand: '' };

/**
 * What checks say of many clusters, and what was typed there last. A cluster is asked again only when it has changed
 * since, and not for every heartbeat of its nodes.
 */
export class CheckReports {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });

  constructor(
    private readonly shell: Pick<LabShell, 'call'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Of a cluster that does not answer, what it said last. */
  async of(row: ClusterRow): Promise<CheckReport> {
    const known = this.known.get(row.id);
    if (known && (known.head === row.head || this.now() - known.readAt < this.freshFor(row))) return known;
    try {
      return await this.read(row.id, row.head);
    } catch {
      // Its API server may be down, by a fault: that is no reason to show nobody else.
      return known ?? NONE;
    }
  }

  /** As it is now. Throws Refusal with the cluster's own words. */
  async read(id: string, head = -1): Promise<CheckReport> {
    const [items, inputs] = await Promise.all([
      this.list<CheckObject>(id, 'checks'),
      this.list<TypedInput>(id, 'terminalinputs'),
    ]);
    const checks = items.map(checkOf);
    const sum = (field: 'score' | 'points'): number => checks.reduce((total, check) => total + check[field], 0);
    const report = { checks, score: sum('score'), points: sum('points'), lastCommand: lastLine(inputs) };
    this.known.set(id, { ...report, head, readAt: this.now() });
    return report;
  }

  /** Its checks have changed: the next look asks it. */
  expire(id: string): void {
    const known = this.known.get(id);
    if (known) this.known.set(id, { ...known, head: -1, readAt: Number.NEGATIVE_INFINITY });
  }

  private async list<T>(id: string, plural: string): Promise<readonly T[]> {
    return (await this.shell.call<{ items: readonly T[] }>(id, 'GET', `/apis/${API_VERSION}/${plural}`)).items;
  }

  private freshFor({ lastUsedAt }: ClusterRow): number {
    return this.now() - lastUsedAt < IDLE_MS ? FRESH_MS : IDLE_FRESH_MS;
  }
}

function lastLine(inputs: readonly TypedInput[]): string {
  let last: TypedInput | undefined;
  for (const input of inputs) if (!last || input.number > last.number) last = input;
  return last?.lines.at(-1) ?? '';
}
