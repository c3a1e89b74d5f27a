import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { ObservabilityServer } from './observability-server.js';
import { Readiness } from './readiness.js';

let registry: Registry;
let readiness: Readiness;
let server: ObservabilityServer;
let errors: unknown[];

const options = (port: number): Parameters<typeof ObservabilityServer.listen>[0] => ({
  port,
  host: '127.0.0.1',
  registry,
  readiness,
  onError: (error) => void errors.push(error),
});
const ask = async (path: string, method = 'GET'): Promise<[number, string]> => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  return [response.status, await response.text()];
};

beforeEach(async () => {
  errors = [];
  registry = new Registry();
  readiness = new Readiness();
  server = await ObservabilityServer.listen(options(0));
});
afterEach(() => server.close());

test('a process that starts is alive and not ready', async () => {
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([
    [200, 'ok'],
    [503, 'the process is starting'],
  ]);
  readiness.markReady();
  expect(await ask('/readyz?verbose')).toEqual([200, 'ok']);
});

test('liveness does not depend on the database', async () => {
  readiness.markReady();
  readiness.checkWith(() => Promise.reject(new Error('connection refused')));
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([
    [200, 'ok'],
    [503, 'the database does not answer'],
  ]);
});

test('metrics are in the text format', async () => {
  new Counter({ name: 'things_total', help: 'Things.', registers: [registry] }).inc(2);
  expect(await ask('/metrics')).toEqual([
    200,
    '# HELP things_total Things.\n# TYPE things_total counter\nthings_total 2\n',
  ]);
});

test('nothing else is served', async () => {
  expect([await ask('/v1/clusters'), await ask('/metrics', 'POST')]).toEqual([
    [404, 'not found'],
    [405, 'method not allowed'],
  ]);
});

test('a metric that cannot be read is an error that is told', async () => {
  new Counter({
    name: 'broken_total',
    help: 'Broken.',
    registers: [registry],
    collect: () => {
      throw new Error('broken');
    },
  });
  expect((await ask('/metrics'))[0]).toBe(500);
  expect(errors).toEqual([new Error('broken')]);
});

test('a port that is taken is an error of the start', async () => {
  await expect(ObservabilityServer.listen(options(server.port))).rejects.toThrow('EADDRINUSE');
});
