import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import { Cluster, type ApiRequest } from '@terrarium/engine';
import { ClusterHost, MemoryAnnouncements } from '@terrarium/host';
import { MemoryLogStore } from '@terrarium/store';
import { ClusterClock } from './cluster-clock.js';
import { userOf, type Caller } from '../identity/principal.js';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const CLOCK = '/apis/terrarium.dev/v1alpha1/clocks/clock';
const caller = { scope: 'use' } as Caller;
const reader = { scope: 'read' } as Caller;

let now: number;
let host: ClusterHost;
let clock: ClusterClock;
let advanced: string[];
beforeEach(async () => {
  now = START;
  advanced = [];
  const store = new MemoryLogStore();
  host = new ClusterHost({
    store,
    announcer: new MemoryAnnouncements().announcer(),
    now: () => now,
    onCommitted: (id, { wantsAdvance }) => wantsAdvance && advanced.push(id),
    loadEngine: (row) => new Cluster({ seed: row.id, images: catalog, runs: false }),
  });
  clock = new ClusterClock(host);
  await store.createCluster({ id: 'c1', tenantId: 't1', settings: {}, nodes: 0, createdAt: START });
});
afterEach(() => host.close());

async function request(method: string, path: string, body?: object): Promise<never> {
  const headers: ApiRequest['headers'] = {
    accept: 'application/json',
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  };
  const response = await host.request('c1', {
    method,
    path,
    query: '',
    headers,
    body: body && Buffer.from(JSON.stringify(body)),
    user: userOf(caller),
  });
  if (response.type !== 'body') throw new Error(response.type);
  return JSON.parse(String(response.body)) as never;
}

/** Minutes of virtual time since the start: the age of an object that is created now. */
async function virtualMinutes(): Promise<number> {
  const { metadata } = (await request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { generateName: 'n-' },
  })) as { metadata: { creationTimestamp: string } };
  return (Date.parse(metadata.creationTimestamp) - START) / MINUTE_MS;
}
const createClock = (spec: object) =>
  request('POST', '/apis/terrarium.dev/v1alpha1/clocks', {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Clock',
    metadata: { name: 'clock' },
    spec,
  });

test('time stands still while it is paused, and goes on from where it stood', async () => {
  await createClock({});
  now += 10 * MINUTE_MS;
  await clock.setPaused(caller, 'c1', true);
  expect(await request('GET', CLOCK)).toMatchObject({
    spec: { paused: true },
    status: { virtual: '2026-01-01T00:10:00.000000Z', real: '2026-01-01T00:10:00.000000Z' },
  });
  now += 60 * MINUTE_MS;
  expect(await virtualMinutes()).toBe(10);
  advanced = [];
  await clock.setPaused(caller, 'c1', false);
  expect(advanced).toEqual(['c1']);
  expect(await virtualMinutes()).toBe(10);
  now += 5 * MINUTE_MS;
  expect(await virtualMinutes()).toBe(15);
  await clock.setPaused(caller, 'c1', true);
  now += 60 * MINUTE_MS;
  expect(await virtualMinutes()).toBe(15);
});

test('a second call changes nothing', async () => {
  await createClock({});
  await clock.setPaused(caller, 'c1', false);
  await clock.setPaused(caller, 'c1', true);
  const paused = await request('GET', CLOCK);
  now += MINUTE_MS;
  await clock.setPaused(caller, 'c1', true);
  expect(await request('GET', CLOCK)).toEqual(paused);
});

test('a clock that was paused by kubectl goes on from where it stood', async () => {
  await createClock({});
  now += 3 * MINUTE_MS;
  await request('PATCH', CLOCK, { spec: { paused: true } });
  now += 60 * MINUTE_MS;
  await clock.setPaused(caller, 'c1', false);
  expect(await virtualMinutes()).toBe(3);
  now += 2 * MINUTE_MS;
  expect(await virtualMinutes()).toBe(5);
});

test('a rate is kept', async () => {
  await createClock({ rate: 60 });
  now += MINUTE_MS;
  await clock.setPaused(caller, 'c1', true);
  now += MINUTE_MS;
  await clock.setPaused(caller, 'c1', false);
  now += MINUTE_MS;
  expect(await virtualMinutes()).toBe(120);
});

test('a clock that was deleted is made again', async () => {
  await clock.setPaused(caller, 'c1', false);
  expect(await request('GET', CLOCK)).toMatchObject({ code: 404 });
  now += MINUTE_MS;
  await clock.setPaused(caller, 'c1', true);
  now += MINUTE_MS;
  expect(await virtualMinutes()).toBe(1);
});

test('a clock that others change at the same time is read again', async () => {
  await createClock({});
  const request = host.request.bind(host);
  let rate = 1;
  let races = 2;
  const racing = new ClusterClock({
    request: async (id, asked) => {
      if (asked.method === 'PATCH' && races-- > 0) {
        const body = Buffer.from(JSON.stringify({ spec: { rate: ++rate } }));
        await request(id, { ...asked, body });
      }
      return request(id, asked);
    },
  });
  await racing.setPaused(caller, 'c1', true);
  races = Infinity;
  await expect(racing.setPaused(caller, 'c1', false)).rejects.toMatchObject({
    status: 409,
    message: 'the Clock of the cluster is being changed by others: try again',
  });
});

test('what the API server refuses is refused in its words', async () => {
  await createClock({});
  await expect(clock.setPaused(reader, 'c1', true)).rejects.toMatchObject({
    status: 403,
    message:
      'clocks.terrarium.dev "clock" is forbidden: User "kubernetes-admin" cannot patch resource "clocks" in API group "terrarium.dev" at the cluster scope: scopes [read] prevent this action',
  });
  await expect(clock.setPaused(caller, 'none', true)).rejects.toMatchObject({
    status: 404,
    message: 'cluster "none" not found',
  });
});
