import { expect, test } from '@jest/globals';
import type { Base } from '../log-store.js';
import { instant, toBase, toClusterRow, toSegment, type RawCluster } from './rows.js';

const AT = new Date('2026-01-01T00:00:00Z');
const RAW: RawCluster = {
  id: 'c1',
  tenant_id: 'acme',
  head: '9007199254740991',
  base_template: null,
  base_parent: null,
  base_revision: '0',
  settings: { name: 'demo' },
  created_at: AT,
  epoch: AT,
  next_wake: null,
  halted: null,
  labels: {},
  nodes: 2,
  bytes: '4096',
  expires_at: null,
  idle_timeout_ms: null,
  last_used_at: AT,
  paused_at: null,
  reads_parent: false,
};

test.each<[string | null, string | null, Base | undefined]>([
  [null, null, undefined],
  ['default', null, { template: 'default', revision: 7 }],
  [null, 'c0', { parent: 'c0', revision: 7 }],
])('the base of template %s, parent %s', (base_template, base_parent, expected) => {
  expect(toBase({ base_template, base_parent, base_revision: '7' })).toEqual(expected);
});

test('a row that runs and has nothing to do', () => {
  expect(toClusterRow(RAW)).toEqual({
    id: 'c1',
    tenantId: 'acme',
    head: Number.MAX_SAFE_INTEGER,
    base: undefined,
    settings: { name: 'demo' },
    createdAt: AT.getTime(),
    epoch: AT.getTime(),
    nextWake: undefined,
    halted: undefined,
    labels: {},
    nodes: 2,
    bytes: 4_096,
    expiresAt: undefined,
    idleTimeoutMs: undefined,
    lastUsedAt: AT.getTime(),
    pausedAt: undefined,
  });
});

test('a row that is halted and has a wake', () => {
  expect(toClusterRow({ ...RAW, next_wake: new Date(5), halted: 'bomb' })).toMatchObject({
    nextWake: 5,
    halted: 'bomb',
  });
});

test('a row that ends by itself and is paused', () => {
  const raw = { ...RAW, expires_at: new Date(7), idle_timeout_ms: '3600000', paused_at: new Date(6) };
  expect(toClusterRow(raw)).toMatchObject({ expiresAt: 7, idleTimeoutMs: 3_600_000, pausedAt: 6 });
});

test('a segment', () => {
  const changes = Buffer.from('[]');
  expect(toSegment({ first_revision: '3', last_revision: '4', at: AT, changes })).toEqual({
    first: 3,
    last: 4,
    at: AT.getTime(),
    changes,
  });
});

test('never is infinity', () => {
  expect([instant(undefined), instant(5)]).toEqual(['infinity', new Date(5)]);
});
