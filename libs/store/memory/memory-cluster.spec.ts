import { expect, test } from '@jest/globals';
import { QuotaExceeded, type ClusterRow, type LifeUpdate } from '../log-store.js';
import { changeLife, checkQuota, countStep, endOf } from './memory-cluster.js';

const MIB = 1024 * 1024;
const ROW: ClusterRow = {
  id: 'c1',
  tenantId: 'acme',
  settings: { name: 'old', seed: 's' },
  labels: {},
  nodes: 0,
  createdAt: 0,
  epoch: 0,
  head: 0,
  bytes: 0,
  lastUsedAt: 100,
};

test.each<[Partial<ClusterRow>, number]>([
  [{}, Infinity],
  [{ expiresAt: 500 }, 500],
  [{ idleTimeoutMs: 50 }, 150],
  [{ expiresAt: 500, idleTimeoutMs: 50 }, 150],
  [{ expiresAt: 120, idleTimeoutMs: 50 }, 120],
  [{ idleTimeoutMs: 50, pausedAt: 110 }, Infinity],
  [{ expiresAt: 500, idleTimeoutMs: 50, pausedAt: 110 }, 500],
])('a cluster with %j ends at %d', (life, end) => expect(endOf({ ...ROW, ...life })).toBe(end));

test.each<[LifeUpdate, Partial<ClusterRow>]>([
  [{}, {}],
  [{ expiresAt: 5 }, { expiresAt: 5 }],
  [{ idleTimeoutMs: null }, { idleTimeoutMs: undefined }],
  [{ name: 'new' }, { settings: { name: 'new', seed: 's' } }],
  [{ labels: { a: 'b' } }, { labels: { a: 'b' } }],
])('the update %j gives %j', (update, changed) =>
  expect(changeLife({ ...ROW, idleTimeoutMs: 7 }, update)).toEqual({ ...ROW, idleTimeoutMs: 7, ...changed }),
);

test.each([
  [0, 1, 0],
  [3, 1, 3],
  [1_001, 1, 1_000],
  [3, 8 * MIB, 2],
  [3, 9 * MIB, 2],
  [3, 17 * MIB, 1],
])('of %d segments of %d bytes a step deletes %d', (count, size, step) => {
  const changes = new Uint8Array(size);
  const segments = Array.from({ length: count }, (_, i) => ({ first: i, last: i, at: 0, changes }));
  expect(countStep(segments)).toBe(step);
});

test.each([
  [{ clusters: 1, nodes: 2 }, 2, undefined],
  [{ clusters: 2, nodes: 0 }, 0, new QuotaExceeded('clusters', 2)],
  [{ clusters: 1, nodes: 3 }, 2, new QuotaExceeded('nodes', 4)],
])('to %j one may add a cluster of %d nodes: %s', (usage, nodes, refusal) => {
  const check = (): void => checkQuota({ ...usage, bytes: 0 }, nodes, { clusters: 2, nodes: 4 });
  if (refusal) expect(check).toThrow(refusal);
  else check();
});
