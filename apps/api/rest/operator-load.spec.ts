import { expect, test } from '@jest/globals';
import { Counter, Gauge, Registry } from 'prom-client';
import { readLoad } from './operator-load.js';

test('sums what has labels, names tasks by their state, and leaves other metrics alone', async () => {
  const registry = new Registry();
  const registers = [registry];
  let isRead = false;
  const gauge = (name: string, labelNames: string[] = []) => new Gauge({ name, help: name, labelNames, registers });
  const tasks = gauge('terrarium_tasks', ['state']);
  tasks.set({ state: 'waiting' }, 3);
  tasks.set({ state: 'active' }, 1);
  const open = gauge('terrarium_open_requests', ['edge']);
  open.set({ edge: 'rest' }, 2);
  open.set({ edge: 'graphql' }, 5);
  new Counter({ name: 'terrarium_requests_total', help: 'requests', registers }).inc(7);
  new Gauge({ name: 'nodejs_eventloop_lag_max_seconds', help: 'lag', registers, collect: () => void (isRead = true) });
  expect(await readLoad(registry, () => 0)).toMatchObject({
    ...{ at: '1970-01-01T00:00:00.000Z', tasks: { waiting: 3, active: 1 }, openRequests: 7, requests: 7 },
    ...{ warmClusters: 0, changes: 0 },
  });
  expect(isRead).toBe(false);
});
