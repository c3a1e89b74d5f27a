import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryAnnouncements } from '@terrarium/host';
import { templateOwner } from '@terrarium/store';
import { createStore, ID, openHost, RecordingListener, send } from '../../libs/host/testing.js';
import { runRound, startHousekeeping, type HousekeepingParts } from './housekeeping.js';

const HOUR_MS = 60 * 60_000;
const MIB = 1024 * 1024;
const START = Date.UTC(2026, 0, 1);

let now: number;
let store: Awaited<ReturnType<typeof createStore>>;
let parts: HousekeepingParts;
let errors: string[];
let done: Record<string, number>;
let pruned: (number | undefined)[];
let hub: MemoryAnnouncements;

beforeEach(async () => {
  now = START;
  store = await createStore();
  hub = new MemoryAnnouncements();
  [errors, pruned, done] = [[], [], {}];
  const { host } = openHost(store, hub.announcer(), {}, { now: () => now });
  parts = {
    store,
    host,
    tenantLimits: () => ({ clusterBytes: 100 * MIB }),
    credentials: { prune: async (at) => void pruned.push(at) },
    onDone: (chore, count) => void (done[chore] = (done[chore] ?? 0) + count),
    onError: (chore, error) => void errors.push(`${chore}: ${String(error)}`),
  };
});

/** A round, as if no other worker had just had one. */
const runAll = async (): Promise<boolean> => {
  await store.finishChore('housekeeping', 0);
  await store.finishChore('templates', 0);
  return runRound(parts);
};

/** Appends one segment of so many bytes, which say nothing to an engine. */
const append = async (size: number): Promise<void> => {
  const { head } = (await store.cluster(ID))!;
  const revision = head + 1;
  await store.append(ID, { expected: head, first: revision, last: revision, at: now, changes: new Uint8Array(size) });
};

describe('a cluster whose time is over', () => {
  test('is deleted, and its watches end in every process', async () => {
    const { host: other } = openHost(store, hub.announcer());
    const listener = new RecordingListener();
    await other.subscribe(ID, 0, listener.listener);
    await store.updateLife(ID, { expiresAt: now + 1_000 });
    await runAll();
    expect(await store.cluster(ID)).toBeDefined();
    now += 1_001;
    await runAll();
    expect(await store.cluster(ID)).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(listener.ends).toEqual(['deleted']);
    expect(done['deleteExpired']).toBe(1);
    expect(await store.purge(10)).toBe(0);
  });

  test('lives when it is extended just before it is deleted', async () => {
    await store.updateLife(ID, { expiresAt: now - 1 });
    const expired = await store.expired(now, 10);
    store.expired = async () => {
      await store.updateLife(ID, { expiresAt: now + HOUR_MS });
      return expired;
    };
    await runAll();
    expect(await store.cluster(ID)).toMatchObject({ expiresAt: now + HOUR_MS });
    expect(errors).toEqual([]);
  });
});

describe('a log', () => {
  test('behind the retention is cut off at its checkpoint', async () => {
    for (let i = 0; i < 3; i++) await send(parts.host as never, 'POST', '/a');
    await parts.host.checkpoint(ID);
    now += HOUR_MS - 1_000;
    await runAll();
    expect(await store.oldestRetained(ID)).toBe(0);
    now += 2_000;
    await runAll();
    expect(await store.oldestRetained(ID)).toBe(3);
  });

  test('of an idle cluster gets a checkpoint when it has grown', async () => {
    await append(300 * 1024);
    const checkpoint = jest.fn((id: string) => store.saveCheckpoint(id, 1, new Uint8Array(9)));
    parts = { ...parts, host: { ...bindHost(parts.host), checkpoint } };
    await store.touch([{ id: ID, at: now }]);
    now += 1;
    await runAll();
    expect(checkpoint).not.toHaveBeenCalled();
    now += HOUR_MS / 2;
    await runAll();
    expect(checkpoint).not.toHaveBeenCalled();
    now += HOUR_MS;
    await runAll();
    expect(checkpoint).toHaveBeenCalledTimes(1);
    await runAll();
    expect(await store.reviewable(now + 100 * HOUR_MS, 10)).toEqual([]);
    expect(await store.cluster(ID)).toMatchObject({ bytes: 9 });
  });

  test('near its limit is cut off whatever its retention', async () => {
    for (let i = 0; i < 4; i++) await append(15 * MIB);
    const checkpoint = jest.fn((id: string) => store.saveCheckpoint(id, 4, new Uint8Array(9)));
    parts = { ...parts, host: { ...bindHost(parts.host), checkpoint } };
    await store.touch([{ id: ID, at: now }]);
    now += 1;
    await runAll();
    expect(await store.cluster(ID)).toMatchObject({ bytes: 9 });
  });

  test('that cannot be reviewed is looked at again an hour later', async () => {
    await append(300 * 1024);
    now += 2 * HOUR_MS;
    parts = { ...parts, tenantLimits: () => Promise.reject(new Error('no limits')) };
    await runAll();
    expect(errors).toEqual(['reviewLogs: Error: no limits']);
    expect(await store.reviewable(now + HOUR_MS, 10)).toEqual([]);
    expect(await store.reviewable(now + HOUR_MS + 1, 10)).toEqual([ID]);
  });
});

/** The methods of a host as an object's own. */
const bindHost = (host: HousekeepingParts['host']): HousekeepingParts['host'] => ({
  checkpoint: (id) => host.checkpoint(id),
  compact: (limit) => host.compact(limit),
  deleteCluster: (id, expiredBefore) => host.deleteCluster(id, expiredBefore),
  now: () => host.now(),
});

test('rows of deleted clusters are purged', async () => {
  await send(parts.host as never, 'POST', '/a');
  await parts.host.deleteCluster(ID);
  expect(await runAll()).toBe(true);
  expect(await runAll()).toBe(false);
  await store.createCluster({ id: ID, tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
  expect(await store.read(ID, 0, 10)).toEqual([]);
});

test('forks let their parent’s rows go: after an hour, and when it is deleted', async () => {
  await send(parts.host as never, 'POST', '/a');
  const fork = (id: string): Promise<unknown> =>
    store.createCluster({
      ...{ id, tenantId: 'acme', settings: {}, nodes: 0, createdAt: now },
      base: { parent: ID, revision: 1 },
    });
  const holds = async (id: string): Promise<boolean> => (await store.cluster(id))?.readsParent ?? false;
  await fork('first');
  await runAll();
  expect(await holds('first')).toBe(true);
  now += HOUR_MS + 1;
  await fork('second');
  await runAll();
  expect([await holds('first'), await holds('second'), done['detachForks']]).toEqual([false, true, 1]);
  await parts.host.deleteCluster(ID);
  await runAll();
  expect(await holds('second')).toBe(false);
  await runAll();
  expect(await store.loadCheckpoint('second')).toMatchObject({ owner: 'second', revision: 1 });
  expect(errors).toEqual([]);
});

test('templates that are neither used nor referred to are dropped, once an hour', async () => {
  for (const template of ['used', 'unused']) await store.saveCheckpoint(templateOwner(template), 5, new Uint8Array(1));
  const cluster = { tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 };
  await store.createCluster({ ...cluster, id: 'a', base: { template: 'used', revision: 5 } });
  now = Date.now() + 47 * HOUR_MS;
  await runAll();
  const onUnused = { ...cluster, base: { template: 'unused', revision: 5 } };
  await store.createCluster({ ...onUnused, id: 'b' });
  await store.deleteCluster('b');
  now += 2 * HOUR_MS;
  await runAll();
  await store.finishChore('housekeeping', 0);
  await expect(store.createCluster({ ...onUnused, id: 'c' })).rejects.toThrow('template unused has no checkpoint');
  await store.createCluster({ ...cluster, id: 'd', base: { template: 'used', revision: 5 } });
  const dropTemplates = jest.spyOn(store, 'dropTemplates');
  await store.finishChore('housekeeping', 0);
  await runRound(parts);
  expect(dropTemplates).not.toHaveBeenCalled();
});

test('keys and tokens are pruned once an hour', async () => {
  for (let rounds = 0; rounds < 3; rounds++) await runAll();
  expect(pruned).toEqual([START]);
  await store.finishChore('credentials', 0);
  await runAll();
  expect(pruned).toEqual([START, START]);
});

test('of several workers one has a round, and the next comes after a pause', async () => {
  let rounds = 0;
  const counted = { ...parts, host: { ...bindHost(parts.host), compact: async () => ++rounds } };
  await Promise.all(Array.from({ length: 5 }, () => runRound(counted)));
  expect(rounds).toBe(1);
  await runRound(counted);
  expect(rounds).toBe(1);
  await store.finishChore('housekeeping', 0);
  await runRound(counted);
  expect(rounds).toBe(2);
});

test('a chore that fails is reported, and the others are done', async () => {
  store.expired = () => Promise.reject(new Error('connection refused'));
  await parts.host.deleteCluster(ID);
  expect(await runAll()).toBe(true);
  expect(errors).toEqual(['deleteExpired: Error: connection refused']);
  expect(await store.purge(10)).toBe(0);
  store.takeChore = () => Promise.reject(new Error('still refused'));
  expect(await runAll()).toBe(false);
  expect(errors[1]).toBe('takeChore: Error: still refused');
});

test('rounds go on by themselves until they are stopped', async () => {
  await parts.host.deleteCluster(ID);
  const stop = startHousekeeping(parts);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await stop();
  expect(await store.purge(10)).toBe(0);
  expect(errors).toEqual([]);
});
