import 'reflect-metadata';
import fs from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Metrics } from '@terrarium/host';
import { readSettings } from '@terrarium/platform';
import { Registry } from 'prom-client';
import { RequestMetrics } from '../apps/api/observers/request-metrics.js';
import { registerHostMetrics } from '../libs/platform/observability/host-metrics.js';
import { ObservabilityModule } from '../libs/platform/observability/observability.module.js';
import { registerQueueMetrics } from '../libs/platform/observability/queue-metrics.js';

const document = fs.readFileSync('docs/OPERATING.md', 'utf8');

/** Words in code quotes in the first column of the tables below a heading. */
function firstColumn(heading: string): string[] {
  const section = document.split(/^## /m).find((text) => text.startsWith(heading))!;
  const cells = section.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1]!] : []));
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`{]+)(?:\{[^}]*\})?`/g)].map(([, word]) => word!));
}

test('every setting is in the table, and no other', () => {
  const settings = fs.readFileSync('libs/platform/settings.ts', 'utf8');
  const variables = [...settings.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!);
  expect(variables).toEqual(expect.arrayContaining(['DATABASE_URL', 'CORS_ORIGINS', 'OBSERVABILITY_PORT']));
  expect(firstColumn('Settings').sort()).toEqual(variables.sort());
});

let app: INestApplicationContext;
beforeAll(async () => {
  const settings = readSettings({ DATABASE_URL: 'postgres://none', LOG_LEVEL: 'silent' });
  app = await NestFactory.createApplicationContext(ObservabilityModule.with(settings, 'test'), { logger: false });
});
afterAll(() => app.close());

test('every metric is in the table, and no other', () => {
  const registry = app.get<Registry>(Registry);
  registerHostMetrics(registry, { metrics: new Metrics(), gauges: () => ({}) as never });
  registerQueueMetrics(registry, async () => null);
  new RequestMetrics(registry);
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  expect(names).toContain('terrarium_log_messages_total');
  expect(firstColumn('Metrics').sort()).toEqual(names.sort());
});
