import { beforeEach, expect, test } from '@jest/globals';
import { Metrics } from '@terrarium/host';
import { Registry } from 'prom-client';
import { registerHostMetrics } from './host-metrics.js';

let metrics: Metrics;
let registry: Registry;
beforeEach(() => {
  metrics = new Metrics();
  registry = new Registry();
  registerHostMetrics(registry, {
    metrics,
    gauges: () => ({ loadedClusters: 2, loadedBytes: 2_048, listeners: 5 }) as never,
  });
});
const lines = async (prefix: string): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith(prefix));

test('counters keep their names, which dashboards use', async () => {
  metrics.lostRaces = 3;
  expect(await lines('terrarium_lost_races_total')).toEqual(['terrarium_lost_races_total 3']);
  metrics.lostRaces = 4;
  expect(await lines('terrarium_lost_races_total')).toEqual(['terrarium_lost_races_total 4']);
  const names = Object.keys(metrics).map((name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
  const published = (await lines('# TYPE')).map((line) => line.split(' ')[2]!);
  expect(published).toEqual(expect.arrayContaining(names.map((name) => `terrarium_${name}_total`)));
});

test('refusals are told apart by reason', async () => {
  metrics.refuse('streams');
  metrics.refuse('tenantQueue');
  metrics.refuse('tenantQueue');
  expect(await lines('terrarium_refused_total')).toEqual([
    'terrarium_refused_total{reason="streams"} 1',
    'terrarium_refused_total{reason="tenant_queue"} 2',
  ]);
});

test('what housekeeping has done is told apart by chore', async () => {
  metrics.recordChore('deleteExpired', 2);
  metrics.recordChore('deleteExpired', 3);
  expect(await lines('terrarium_housekeeping_total')).toEqual([
    'terrarium_housekeeping_total{chore="delete_expired"} 5',
  ]);
});

test('durations are published in seconds', async () => {
  metrics.observe('appendMs', 4);
  metrics.observe('appendMs', 900);
  metrics.observe('queueDepth', 3);
  expect(await lines('terrarium_append_duration_seconds_')).toEqual(
    expect.arrayContaining([
      'terrarium_append_duration_seconds_bucket{le="0.005"} 1',
      'terrarium_append_duration_seconds_bucket{le="1"} 2',
      'terrarium_append_duration_seconds_sum 0.904',
    ]),
  );
  expect(await lines('terrarium_cluster_queue_requests_')).toContain('terrarium_cluster_queue_requests_sum 3');
});

test('reconciles are told apart by controller and outcome', async () => {
  metrics.observeReconcile('deployment', 'ok', 2);
  metrics.observeReconcile('deployment', 'error', 1);
  expect(await lines('terrarium_reconcile_duration_seconds_count')).toEqual([
    'terrarium_reconcile_duration_seconds_count{controller="deployment",outcome="ok"} 1',
    'terrarium_reconcile_duration_seconds_count{controller="deployment",outcome="error"} 1',
  ]);
});

test('what is in memory is read when the metrics are', async () => {
  expect(await lines('terrarium_warm_')).toEqual(['terrarium_warm_clusters 2', 'terrarium_warm_bytes 2048']);
});
