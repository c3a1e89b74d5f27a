import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerQueueMetrics, type CountTasks } from './queue-metrics.js';

test.each<[string, CountTasks, string[]]>([
  [
    'answers',
    async () => ({ waiting: 3, active: 1 }),
    ['terrarium_tasks{state="waiting"} 3', 'terrarium_tasks{state="active"} 1'],
  ],
  ['fails', async () => null, []],
  ['is silent', () => new Promise(() => undefined), []],
])('of a queue that %s', async (_, countTasks, expected) => {
  const registry = new Registry();
  registerQueueMetrics(registry, countTasks, 20);
  expect((await registry.metrics()).split('\n').filter((line) => line.startsWith('terrarium_tasks{'))).toEqual(
    expected,
  );
});
