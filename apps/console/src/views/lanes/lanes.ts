import type { Reconcile } from './operations.generated.js';

export interface Run extends Reconcile {
  /** Real ms when the page heard of it. */
  readonly heard: number;
  readonly key: number;
}

/** What one controller has done of late. */
export interface Lane {
  readonly name: string;
  /** The latest last; no more than can be seen. */
  readonly runs: readonly Run[];
  readonly queued: number;
  readonly total: number;
  readonly writes: number;
  readonly errors: number;
}

/** Of one lane, and lanes in all. */
export const MAX_RUNS = 120;
const MAX_LANES = 60;

/** The lanes of all controllers that have run, in the order of what they work on: from users' objects to nodes. */
export class Lanes {
  dropped = 0;
  private next = 0;
  private readonly byName = new Map<string, { -readonly [K in keyof Lane]: Lane[K] } & { runs: Run[] }>();

  get all(): readonly Lane[] {
    return [...this.byName.values()].sort((a, b) => rankOf(a.name) - rankOf(b.name) || (a.name < b.name ? -1 : 1));
  }

  tell(reconciles: readonly Reconcile[], dropped: number, heard: number): void {
    this.dropped += dropped;
    for (const one of reconciles) {
      const lane = this.laneOf(one.controller);
      if (!lane) continue;
      lane.runs.push({ ...one, heard, key: this.next++ });
      if (lane.runs.length > MAX_RUNS) lane.runs.splice(0, lane.runs.length - MAX_RUNS);
      lane.queued = one.queued;
      lane.total++;
      lane.writes += one.writes;
      if (one.outcome === 'error') lane.errors++;
    }
  }

  private laneOf(name: string) {
    let lane = this.byName.get(name);
    if (!lane && this.byName.size < MAX_LANES)
      this.byName.set(name, (lane = { name, runs: [], queued: 0, total: 0, writes: 0, errors: 0 }));
    return lane;
  }
}

const ORDER = [
  'cronjob',
  'job',
  'deployment',
  'statefulset',
  'daemonset',
  'replicaset',
  'replicationcontroller',
  'scheduler',
  'kubelet',
  'endpointslice',
];
function rankOf(name: string): number {
  const i = ORDER.indexOf(name);
  return i < 0 ? ORDER.length : i;
}

/** Where a run stands in its strip, 0..1 from the left; undefined when it is too old. */
export function placeInStrip({ heard }: Pick<Run, 'heard'>, now: number, span: number): number | undefined {
  const share = 1 - (now - heard) / span;
  return share < 0 || share > 1 ? undefined : share;
}
