import { afterEach, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerProcessMetrics } from './process-metrics.js';

let close: () => void = () => undefined;
afterEach(() => close());

async function read(registry: Registry): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}

test('the process is described under the usual names', async () => {
  const registry = new Registry();
  close = registerProcessMetrics(registry);
  const values = await read(registry);
  expect(values['process_resident_memory_bytes']).toBeGreaterThan(10 * 1024 * 1024);
  expect(values['process_cpu_seconds_total']).toBeGreaterThan(0);
  expect(values['process_start_time_seconds']).toBeLessThan(Date.now() / 1_000);
  expect(values['nodejs_eventloop_utilization']).toBeLessThanOrEqual(1);
});

test('a blocked event loop shows, until the metrics are read', async () => {
  const registry = new Registry();
  close = registerProcessMetrics(registry);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const end = performance.now() + 400;
  while (performance.now() < end);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await read(registry))['nodejs_eventloop_lag_max_seconds']).toBeGreaterThan(0.25);
  expect((await read(registry))['nodejs_eventloop_lag_max_seconds']).toBeLessThan(0.25);
});
