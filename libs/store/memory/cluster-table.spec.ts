import { expect, test } from '@jest/globals';
import { ClusterNotFound } from '../log-store.js';
import { ClusterTable } from './cluster-table.js';
import { newStoredCluster } from './memory-cluster.js';

/** The clusters a and b of acme, the deleted c, and d, another tenant's, which is a fork of a. */
function table(): ClusterTable {
  const clusters = new ClusterTable();
  const add = (id: string, tenantId: string, createdAt: number, parent?: string): void => {
    const base = parent === undefined ? undefined : { parent, revision: 0 };
    const cluster = { id, tenantId, base, idempotencyKey: `key ${id}`, settings: {}, nodes: 0, createdAt };
    clusters.add(newStoredCluster(cluster, 0));
  };
  add('a', 'acme', 30);
  add('b', 'acme', 10);
  add('c', 'acme', 20);
  add('d', 'school', 40, 'a');
  clusters.mustFind('c').deleted = true;
  return clusters;
}

test.each([
  ['a', true],
  ['c', false],
  ['none', false],
])('%s is found: %s', (id, isFound) => {
  const clusters = table();
  expect(clusters.find(id)?.row.id).toBe(isFound ? id : undefined);
  if (!isFound) expect(() => clusters.mustFind(id)).toThrow(ClusterNotFound);
});

test.each([
  [{ tenantId: 'acme', idempotencyKey: 'key a' }, 'a'],
  [{ tenantId: 'acme', idempotencyKey: 'key c' }, undefined],
  [{ tenantId: 'school', idempotencyKey: 'key a' }, undefined],
  [{ tenantId: 'acme' }, undefined],
])('%j stands for %s', (cluster, id) => expect(table().findByKey(cluster)?.row.id).toBe(id));

test.each([
  [100, 9, ['b', 'a', 'd']],
  [100, 2, ['b', 'a']],
  [30, 9, ['b']],
])('before %d, at most %d: %j', (before, limit, ids) =>
  expect(table().earliest(({ row }) => row.createdAt, before, limit)).toEqual(ids),
);

test('a tenant has its own rows, a parent its forks', () => {
  expect(
    table()
      .rowsOf('acme')
      .map(({ id }) => id),
  ).toEqual(['a', 'b']);
  expect(
    table()
      .forksOf('a')
      .map(({ row }) => row.id),
  ).toEqual(['d']);
});

test('who wants a locked row waits, also for one that fails', async () => {
  const clusters = table();
  const order: string[] = [];
  const first = clusters.runLocked('a', async () => {
    await Promise.resolve();
    order.push('first');
    throw new Error('lost');
  });
  const second = clusters.runLocked('a', async () => order.push('second'));
  await expect(first).rejects.toThrow('lost');
  await second;
  expect(order).toEqual(['first', 'second']);
});
