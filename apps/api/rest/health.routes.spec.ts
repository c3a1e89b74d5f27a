import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ServiceUnavailableException } from '@nestjs/common';
import { ClusterHost, MemoryAnnouncements } from '@terrarium/host';
import { MemoryLogStore } from '@terrarium/store';
import { HealthRoutes } from './health.routes.js';

let host: ClusterHost;
beforeEach(() => {
  host = new ClusterHost({
    store: new MemoryLogStore(),
    announcer: new MemoryAnnouncements().announcer(),
    loadEngine: () => Promise.reject(new Error('no engine')),
  });
});
afterEach(() => host.close());

test('it is ready when the log answers', async () => {
  const routes = new HealthRoutes(host, new MemoryLogStore());
  expect([routes.healthz(), await routes.readyz()]).toEqual(['ok', 'ok']);
});

test('it is alive but not ready when the log does not answer', async () => {
  const store = new MemoryLogStore();
  store.heads = () => Promise.reject(new Error('connection refused'));
  const routes = new HealthRoutes(host, store);
  expect(routes.healthz()).toBe('ok');
  await expect(routes.readyz()).rejects.toThrow(ServiceUnavailableException);
});

test('metrics keep their names, which dashboards use', async () => {
  host.metrics.lostRaces = 3;
  const text = await new HealthRoutes(host, new MemoryLogStore()).metrics();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(names).toEqual([
    'process_cpu_seconds gauge',
    'process_resident_memory_bytes gauge',
    'nodejs_heap_used_bytes gauge',
    'nodejs_eventloop_utilization gauge',
    'terrarium_warm_clusters gauge',
    'terrarium_warm_bytes gauge',
    'terrarium_listeners gauge',
    ...[
      'requests',
      'batches',
      'appends',
      'changes',
      'lost_races',
      'row_locks',
      'caught_up_changes',
      'loads',
      'evictions',
      'watches',
      'cut_off',
      'refused',
      'checkpoints',
      'halted',
      'failed_requests',
      'store_errors',
    ].map((name) => `terrarium_${name}_total counter`),
  ]);
  expect(text).toContain('\nterrarium_lost_races_total 3\n');
});
