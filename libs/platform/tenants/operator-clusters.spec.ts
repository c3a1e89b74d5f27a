import { LIMITS, Pacer } from '@terrarium/host';
import { beforeEach, expect, test } from '@jest/globals';
import { MemoryLogStore } from '@terrarium/store';
import { Clusters } from '../clusters/clusters.js';
import { OperatorClusters } from './operator-clusters.js';
import { Templates } from '../clusters/templates.js';

let store: MemoryLogStore;
let advanced: string[];
let clusters: OperatorClusters;
beforeEach(async () => {
  [store, advanced] = [new MemoryLogStore(), []];
  const tenants = { limits: () => Promise.reject(new Error('not asked')) };
  clusters = new OperatorClusters(
    store,
    new Clusters(store, store, new Templates(store, new Pacer(LIMITS)), tenants, 'http://localhost'),
    { resume: (id) => store.halt(id, undefined) },
    { advance: (id) => void advanced.push(id) },
  );
  await store.createCluster({ id: 'c1', tenantId: 'a', settings: { name: 'demo' }, nodes: 0, createdAt: 0 });
});

test('a cluster is found by its id, with its tenant', async () => {
  expect(await clusters.get('c1')).toMatchObject({ id: 'c1', name: 'demo', tenantId: 'a', state: 'running' });
});

test('a halted cluster runs again', async () => {
  await store.halt('c1', 'an error (id 7)');
  expect(await clusters.get('c1')).toMatchObject({ state: 'halted', haltedBecause: 'an error (id 7)' });
  expect(await clusters.resume('c1')).toMatchObject({ state: 'running' });
  expect(advanced).toEqual(['c1']);
});

test('a cluster that runs is left alone', async () => {
  expect(await clusters.resume('c1')).toMatchObject({ state: 'running' });
  expect(advanced).toEqual([]);
});

test.each(['get', 'resume'] as const)('%s: an unknown cluster is refused', async (verb) => {
  await expect(clusters[verb]('none')).rejects.toMatchObject({ status: 404, message: 'there is no cluster "none"' });
});
