import { LIMITS, Pacer } from '@terrarium/host';
import { beforeEach, expect, test } from '@jest/globals';
import { MemoryLogStore } from '@terrarium/store';
import { ClusterPauses } from './cluster-pauses.js';
import { Clusters } from './clusters.js';
import type { KeyPrincipal } from '../identity/principal.js';
import { Templates } from './templates.js';

const alice = { kind: 'key', tenantId: 'a', scope: 'use' } as KeyPrincipal;
const bob = { ...alice, tenantId: 'b' };

let store: MemoryLogStore;
let calls: string[];
let pauses: ClusterPauses;
beforeEach(async () => {
  [store, calls] = [new MemoryLogStore(), []];
  const tenants = { limits: () => Promise.reject(new Error('not asked')) };
  const clusters = new Clusters(store, store, new Templates(store, new Pacer(LIMITS)), tenants, 'http://localhost');
  const rowIsPaused = async (): Promise<boolean> => (await store.cluster('c1'))!.pausedAt !== undefined;
  const setPaused = async (_: unknown, id: string, paused: boolean): Promise<void> =>
    void calls.push(`${id} ${paused ? 'stops' : 'runs'}, row is paused: ${await rowIsPaused()}`);
  pauses = new ClusterPauses(clusters, { setPaused }, store);
  await store.createCluster({ id: 'c1', tenantId: 'a', settings: {}, nodes: 0, createdAt: 0, nextWake: 1 });
});

test('its row says paused only while its time stands still', async () => {
  expect(await pauses.pause(alice, 'c1')).toMatchObject({ state: 'paused' });
  expect(await store.overdue(10, 10)).toEqual([]);
  expect(await pauses.resume(alice, 'c1')).toMatchObject({ state: 'running' });
  expect(await store.overdue(10, 10)).toEqual(['c1']);
  expect(calls).toEqual(['c1 stops, row is paused: false', 'c1 runs, row is paused: false']);
});

test('a paused cluster keeps the time of its pause', async () => {
  await pauses.pause(alice, 'c1');
  const { pausedAt } = (await store.cluster('c1'))!;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await pauses.pause(alice, 'c1');
  expect((await store.cluster('c1'))!.pausedAt).toBe(pausedAt);
});

test.each(['pause', 'resume'] as const)('%s: another tenant’s cluster is not there', async (verb) => {
  await expect(pauses[verb](bob, 'c1')).rejects.toMatchObject({ status: 404, message: 'there is no cluster "c1"' });
  expect(calls).toEqual([]);
});
