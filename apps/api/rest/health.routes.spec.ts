import { beforeEach, expect, test } from '@jest/globals';
import { NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { Readiness } from '@terrarium/platform';
import { Counter, Registry } from 'prom-client';
import { HealthRoutes } from './health.routes.js';

let readiness: Readiness;
let registry: Registry;
const types: string[] = [];
const reply = { type: (type: string) => void types.push(type) } as never;
const routes = (observabilityPort?: number): HealthRoutes =>
  new HealthRoutes(readiness, registry, { observabilityPort });

beforeEach(() => {
  readiness = new Readiness();
  registry = new Registry();
  types.length = 0;
});

test('it is alive but not ready before it has started', async () => {
  expect(routes().healthz()).toBe('ok');
  await expect(routes().readyz()).rejects.toThrow(new ServiceUnavailableException('the process is starting'));
  readiness.markReady();
  expect(await routes().readyz()).toBe('ok');
});

test('it is alive but not ready when the log does not answer', async () => {
  readiness.markReady();
  readiness.checkWith(() => Promise.reject(new Error('connection refused')));
  expect(routes().healthz()).toBe('ok');
  await expect(routes().readyz()).rejects.toThrow(new ServiceUnavailableException('the database does not answer'));
});

test('metrics are in the text format', async () => {
  new Counter({ name: 'things_total', help: 'Things.', registers: [registry] }).inc(2);
  expect(await routes().metrics(reply)).toContain('\nthings_total 2\n');
  expect(types).toEqual(['text/plain; version=0.0.4; charset=utf-8']);
});

test('metrics are not served here when they have a port of their own', async () => {
  await expect(routes(9090).metrics(reply)).rejects.toThrow(new NotFoundException('metrics have a port of their own'));
});
