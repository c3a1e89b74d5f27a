/** What the host measures, in the unit that the name ends with: ms, or a number of requests. */
export type Measurement = 'appendMs' | 'sliceMs' | 'lagMs' | 'queueDepth';

/** Why a request was refused before it ran. */
export type RefusalReason =
  | 'credentials'
  | 'suspended'
  | 'rate'
  | 'tenantQueue'
  | 'clusterQueue'
  | 'streams'
  | 'sessions'
  | 'space';

/** How a reconcile ended: LoopOptions.observer's words. */
export type ReconcileOutcome = 'ok' | 'requeue' | 'error';

/** Keeps distributions; libs/platform/observability puts histograms behind it. */
export interface MetricsRecorder {
  observe(name: Measurement, value: number): void;
  observeReconcile(controller: string, outcome: ReconcileOutcome, ms: number): void;
}

/**
 * Counters since the process started, which are published as `terrarium_<name>_total`, and the place where the host
 * reports what it measures. Its enumerable properties are the counters.
 */
export class Metrics {
  requests = 0;
  batches = 0;
  appends = 0;
  changes = 0;
  lostRaces = 0;
  rowLocks = 0;
  caughtUpChanges = 0;
  loads = 0;
  evictions = 0;
  watches = 0;
  cutOff = 0;
  checkpoints = 0;
  halted = 0;
  failedRequests = 0;
  storeErrors = 0;
  housekeepingErrors = 0;
  readonly #refusals = new Map<RefusalReason, number>();
  readonly #chores = new Map<string, number>();
  #recorder: MetricsRecorder | undefined;

  /** Gives the host's measurements to `recorder` from now on; without one they are dropped. */
  recordWith(recorder: MetricsRecorder): void {
    this.#recorder = recorder;
  }

  observe(name: Measurement, value: number): void {
    this.#recorder?.observe(name, value);
  }

  /** `ms`: real time between LoopOptions.observer's two calls. */
  observeReconcile(controller: string, outcome: ReconcileOutcome, ms: number): void {
    this.#recorder?.observeReconcile(controller, outcome, ms);
  }

  /** Counts one refused request. */
  refuse(reason: RefusalReason): void {
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + 1);
  }

  /** Counts what a chore of housekeeping has done: clusters, logs, rows or templates. */
  recordChore(chore: string, count: number): void {
    this.#chores.set(chore, (this.#chores.get(chore) ?? 0) + count);
  }

  /** What housekeeping has done by chore, since the process started. */
  chores(): ReadonlyMap<string, number> {
    return this.#chores;
  }

  /** Refused requests by reason, since the process started. */
  refusals(): ReadonlyMap<RefusalReason, number> {
    return this.#refusals;
  }
}
