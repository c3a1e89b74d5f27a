import type { ClusterHost, Measurement, Metrics, ReconcileOutcome } from '@terrarium/host';
import { Counter, type Registry } from 'prom-client';
import { BucketHistogram, type HistogramSeries } from './bucket-histogram.js';
import { registerGauge } from './process-metrics.js';

const MS_PER_SECOND = 1e3;
const FAST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const RECONCILE_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1];
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const WAITING_REQUESTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];

type CounterName = { [K in keyof Metrics]: Metrics[K] extends number ? K : never }[keyof Metrics];

/** What the host counts, in the words of an operator. A counter without a line here does not compile. */
const COUNTERS: Readonly<Record<CounterName, string>> = {
  requests: 'Requests to clusters that ran.',
  batches: 'Batches of requests: those that share one append.',
  appends: 'Appends to logs that were stored.',
  changes: 'Changes of objects that were stored.',
  lostRaces: 'Appends that were refused since another process had appended first; they run again.',
  rowLocks: "Appends that took their cluster's row lock first, after two lost races.",
  caughtUpChanges: 'Changes of other processes that loaded clusters have replayed.',
  loads: 'Clusters that were loaded from the store.',
  evictions: 'Clusters that were unloaded to keep memory bounded.',
  watches: 'Watches that were opened.',
  cutOff: 'Streams that were ended since their reader was too slow.',
  checkpoints: 'Checkpoints that were stored.',
  halted: 'Clusters that were halted by a failed assertion.',
  failedRequests: 'Requests to clusters that ended with an error of the host.',
  storeErrors: 'Calls of the store that failed.',
  housekeepingErrors: 'Chores of housekeeping that failed.',
};

interface Distribution {
  readonly name: string;
  readonly help: string;
  readonly buckets: number[];
  /** What one of the published unit is in the measured one. */
  readonly divisor: number;
}

const DISTRIBUTIONS: Readonly<Record<Measurement, Distribution>> = {
  appendMs: {
    name: 'terrarium_append_duration_seconds',
    help: 'Time that the store took for one append.',
    buckets: FAST_SECONDS,
    divisor: MS_PER_SECOND,
  },
  sliceMs: {
    name: 'terrarium_slice_duration_seconds',
    help: "Time for which one slice of a cluster's components held this process's thread.",
    buckets: FAST_SECONDS,
    divisor: MS_PER_SECOND,
  },
  lagMs: {
    name: 'terrarium_advance_lag_seconds',
    help: "How long after the time that was planned a cluster's components ran.",
    buckets: LAG_SECONDS,
    divisor: MS_PER_SECOND,
  },
  queueDepth: {
    name: 'terrarium_cluster_queue_requests',
    help: 'Requests that waited for their cluster when a batch of them began.',
    buckets: WAITING_REQUESTS,
    divisor: 1,
  },
};

/** Publishes what the host counts and measures. */
export function registerHostMetrics(registry: Registry, host: Pick<ClusterHost, 'metrics' | 'gauges'>): void {
  registerGauge(registry, 'terrarium_warm_clusters', 'Clusters in memory.', () => host.gauges().loadedClusters);
  registerGauge(registry, 'terrarium_warm_bytes', 'Bytes of the clusters in memory.', () => host.gauges().loadedBytes);
  registerGauge(
    registry,
    'terrarium_listeners',
    'Watches, followed logs and subscriptions.',
    () => host.gauges().listeners,
  );
  for (const [name, help] of Object.entries(COUNTERS)) countHost(registry, host, name as CounterName, help);
  countLabelled(registry, host);
  measureHost(registry, host);
}

function countHost(registry: Registry, host: Pick<ClusterHost, 'metrics'>, name: CounterName, help: string): void {
  new Counter({
    name: `terrarium_${snakeCase(name)}_total`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(host.metrics[name]);
    },
  });
}

function countLabelled(registry: Registry, { metrics }: Pick<ClusterHost, 'metrics'>): void {
  const count = (name: string, help: string, label: string, read: () => ReadonlyMap<string, number>): void =>
    void new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, times] of read()) this.inc({ [label]: snakeCase(value) }, times);
      },
    });
  count('terrarium_refused_total', 'Requests that were refused before they ran, by reason.', 'reason', () =>
    metrics.refusals(),
  );
  count('terrarium_housekeeping_total', 'What chores have done: clusters, logs, rows or templates.', 'chore', () =>
    metrics.chores(),
  );
}

function measureHost(registry: Registry, { metrics }: Pick<ClusterHost, 'metrics'>): void {
  const series = Object.fromEntries(
    Object.entries(DISTRIBUTIONS).map(([measurement, { name, help, buckets }]) => [
      measurement,
      new BucketHistogram({ name, help, buckets, registry }).labels({}),
    ]),
  ) as Record<Measurement, HistogramSeries>;
  const reconciles = new BucketHistogram<'controller' | 'outcome'>({
    name: 'terrarium_reconcile_duration_seconds',
    help: 'Time of one reconcile, by controller, and by outcome: ok, requeue (later), error (a retry with back-off).',
    buckets: RECONCILE_SECONDS,
    registry,
  });
  const reconcilesOf = new Map<string, HistogramSeries>();
  metrics.recordWith({
    observe: (name: Measurement, value: number) => series[name].observe(value / DISTRIBUTIONS[name].divisor),
    observeReconcile: (controller: string, outcome: ReconcileOutcome, ms: number) => {
      const key = `${controller} ${outcome}`;
      let found = reconcilesOf.get(key);
      if (!found) reconcilesOf.set(key, (found = reconciles.labels({ controller, outcome })));
      found.observe(ms / MS_PER_SECOND);
    },
  });
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
