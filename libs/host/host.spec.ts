import { afterEach, describe, expect, it } from '@jest/globals';
import type { ApiRequest, AppliedChange, BodyResponse, StreamResponse, WatchResponse } from '@terrarium/engine';
import { MemoryLogStore, templateOwner, type LogStore } from '@terrarium/store';
import {
  ClusterHost,
  MemoryAnnouncements,
  encodeCheckpoint,
  type Announcer,
  type HostOptions,
  type Limits,
} from './index.js';
import { ToyEngine } from '../testkit/toy-engine.js';

const ID = 'toy';
const SILENT: Announcer = { publish: () => undefined, listen: () => undefined, close: async () => undefined };
const user = { name: 'kubernetes-admin', groups: [] };
const ask = (method: string, path: string, query = ''): ApiRequest => ({ method, path, query, headers: {}, user });

/** A store whose calls can be counted, delayed or broken. */
class ShakyStore extends MemoryLogStore {
  readonly calls: Record<string, number> = {};
  before: (call: string) => Promise<void> | void = () => undefined;
  after: (call: string) => Promise<void> | void = () => undefined;

  constructor() {
    super();
    for (const call of ['append', 'heads', 'read', 'setWake', 'withLock', 'saveCheckpoint'] as const) {
      const real = (MemoryLogStore.prototype[call] as (...a: unknown[]) => Promise<unknown>).bind(this);
      (this as Record<string, unknown>)[call] = async (...args: unknown[]) => {
        this.calls[call] = (this.calls[call] ?? 0) + 1;
        await this.before(call);
        const result = await real(...args);
        await this.after(call);
        return result;
      };
    }
  }
}

const hosts: ClusterHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((h) => h.close()));
});

async function setUp(): Promise<ShakyStore> {
  const store = new ShakyStore();
  await store.createCluster({ id: ID, tenantId: 'acme', settings: {}, createdAt: 0 });
  return store;
}

function hostOn(
  store: LogStore,
  announcer: Announcer = SILENT,
  limits: Partial<Limits> = {},
  more: Partial<HostOptions> = {},
): { host: ClusterHost; engines: ToyEngine[] } {
  const engines: ToyEngine[] = [];
  const loadEngine = () => {
    const engine = new ToyEngine();
    engines.push(engine);
    return engine;
  };
  const host = new ClusterHost({ store, announcer, loadEngine, limits, ...more });
  hosts.push(host);
  return { host, engines };
}

const body = async (host: ClusterHost, method: string, path: string): Promise<Record<string, unknown>> => {
  const response = (await host.request(ID, ask(method, path))) as BodyResponse;
  return { ...(JSON.parse(response.body as string) as object), status: response.status };
};
const head = async (store: LogStore) => (await store.heads([ID])).get(ID);

/** Collects what a subscription delivers. */
class Heard {
  readonly changes: AppliedChange[] = [];
  readonly ends: string[] = [];
  readonly listener = {
    changes: (changes: readonly AppliedChange[]) => void this.changes.push(...changes),
    ended: (reason: string, oldest?: number) =>
      void this.ends.push(oldest === undefined ? reason : `${reason} ${oldest}`),
  };
  get revisions(): number[] {
    return this.changes.map((c) => c.revision);
  }
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const settle = async (until: () => boolean): Promise<void> => {
  for (let i = 0; i < 200 && !until(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(until()).toBe(true);
};

describe('requests', () => {
  it('are answered when their changes are in the store', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    expect(await body(host, 'POST', '/a')).toEqual({ n: 1, seen: 0, revision: 1, status: 200 });
    expect(await head(store)).toBe(1);
    expect(await body(host, 'GET', '/a')).toMatchObject({ n: 1 });
  });

  it('that wait together share one append, each with its own revision and answer', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    await host.request(ID, ask('GET', '/a'));
    const answers = await Promise.all(range(1, 20).map(() => body(host, 'POST', '/a')));
    expect(answers.map((a) => a['n'])).toEqual(range(1, 20));
    expect(answers.map((a) => a['revision'])).toEqual(range(1, 20));
    expect(store.calls['append']).toBeLessThanOrEqual(2);
  });

  it('never show what is not yet appended', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    const order: string[] = [];
    store.before = async (call) => {
      if (call !== 'append') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('appended');
    };
    const write = host.request(ID, ask('POST', '/a')).then(() => order.push('written'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const read = body(host, 'GET', '/a').then((answer) => order.push(`read ${String(answer['n'])}`));
    await Promise.all([write, read]);
    expect(order).toEqual(['appended', 'written', 'read 1']);
  });

  it('read what any other process has written before', async () => {
    const store = await setUp();
    const [{ host: one }, { host: other }] = [hostOn(store), hostOn(store)];
    await body(other, 'GET', '/a');
    await body(one, 'POST', '/a');
    expect(await body(other, 'GET', '/a')).toMatchObject({ n: 1 });
  });

  it('that read share head checks', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    await body(host, 'GET', '/a');
    store.calls['heads'] = 0;
    await Promise.all(range(1, 50).map(() => body(host, 'GET', '/a')));
    expect(store.calls['heads']).toBeLessThanOrEqual(2);
  });

  it('that lost the race run again on what the winner wrote', async () => {
    const store = await setUp();
    const [{ host: one }, { host: other }] = [hostOn(store), hostOn(store)];
    await Promise.all([body(one, 'GET', '/a'), body(other, 'GET', '/a')]);
    const answers = await Promise.all([one, other, one, other].map((host) => body(host, 'POST', '/a')));
    expect(answers.map((a) => a['n']).sort()).toEqual([1, 2, 3, 4]);
    expect(await body(one, 'GET', '/a')).toMatchObject({ n: 4 });
    expect(one.metrics.lostRaces + other.metrics.lostRaces).toBeGreaterThan(0);
  });

  it('take the row lock after two lost races', async () => {
    const store = await setUp();
    const [{ host }, { host: rival }] = [hostOn(store), hostOn(store)];
    await body(host, 'GET', '/a');
    let races = 5;
    let rivalWrites = false;
    store.before = async (call) => {
      if (call !== 'append' || rivalWrites || races-- <= 0) return;
      rivalWrites = true;
      await body(rival, 'POST', '/b');
      rivalWrites = false;
    };
    expect(await body(host, 'POST', '/a')).toMatchObject({ n: 1, status: 200 });
    expect(host.metrics).toMatchObject({ lostRaces: 2, rowLocks: 1 });
    expect(await body(rival, 'GET', '/a')).toMatchObject({ n: 1 });
  });

  it('that make the engine throw are answered 500, and their batch goes on', async () => {
    const { host } = hostOn(await setUp());
    await body(host, 'GET', '/a');
    const answers = await Promise.all([
      body(host, 'GET', '/x'),
      body(host, 'POST', '/a'),
      body(host, 'GET', '/crash'),
      body(host, 'POST', '/a'),
    ]);
    expect(answers.map((a) => a['code'] ?? a['n'])).toEqual([0, 1, 500, 2]);
  });

  it('to a cluster that is not there are answered 404', async () => {
    const { host } = hostOn(await setUp());
    expect(await host.request('none', ask('GET', '/a'))).toMatchObject({ status: 404 });
  });

  it('beyond the queue’s limit are answered 429', async () => {
    const { host } = hostOn(await setUp(), SILENT, { queuedRequests: 3 });
    const answers = await Promise.all(range(1, 6).map(() => host.request(ID, ask('POST', '/a'))));
    expect(answers.filter((a) => a.status === 429)).toHaveLength(3);
  });
});

describe('a store that fails', () => {
  it('before the append loses nothing that was acknowledged', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    await body(host, 'POST', '/a');
    store.before = () => Promise.reject(new Error('connection refused'));
    expect(await body(host, 'POST', '/a')).toMatchObject({ code: 504, message: 'etcdserver: request timed out' });
    expect(await body(host, 'GET', '/a')).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
    store.before = () => undefined;
    expect(await body(host, 'POST', '/a')).toMatchObject({ n: 2, status: 200 });
    expect(await body(hostOn(store).host, 'GET', '/a')).toMatchObject({ n: 2 });
  });

  it('after the append leaves the outcome to be found out', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    await body(host, 'GET', '/a');
    const heard = new Heard();
    await host.subscribe(ID, 0, heard.listener);
    store.after = (call) => (call === 'append' ? Promise.reject(new Error('connection reset')) : undefined);
    expect(await body(host, 'POST', '/a')).toMatchObject({ code: 504 });
    store.after = () => undefined;
    expect(await body(host, 'POST', '/a')).toMatchObject({ n: 2, status: 200 });
    expect(heard.revisions).toEqual([1, 2]);
  });
});

describe('advance', () => {
  it('runs the components in slices, each appended, and records what is next', async () => {
    const store = await setUp();
    const { host } = hostOn(store, SILENT, { sliceChanges: 4 });
    await Promise.all(range(1, 10).map(() => body(host, 'POST', '/a')));
    expect((await store.cluster(ID))?.nextWake).toBeGreaterThan(0);
    const appends = store.calls['append']!;
    expect(await host.advance(ID)).toEqual({ again: false, nextWake: undefined });
    expect(await body(host, 'GET', '/a')).toMatchObject({ n: 10, seen: 10, revision: 20 });
    expect(store.calls['append']! - appends).toBe(3);
    expect((await store.cluster(ID))?.nextWake).toBeUndefined();
  });

  it('gives way when its turn is over', async () => {
    const { host } = hostOn(await setUp(), SILENT, { sliceChanges: 2, advanceMs: -1 });
    await Promise.all(range(1, 5).map(() => body(host, 'POST', '/a')));
    const turns: boolean[] = [];
    for (let again = true; again; turns.push(again)) ({ again } = await host.advance(ID));
    expect(turns).toEqual([true, true, false]);
  });

  it('has nothing to do for a cluster that was deleted', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    await body(host, 'POST', '/a');
    await store.deleteCluster(ID);
    expect(await host.advance(ID)).toEqual({ again: false, nextWake: undefined });
    expect(await host.advance('none')).toEqual({ again: false, nextWake: undefined });
    expect(host.gauges().loadedClusters).toBe(0);
  });

  it('is told to begin by the request that gives it work', async () => {
    const news: boolean[] = [];
    const { host } = hostOn(
      await setUp(),
      SILENT,
      {},
      { onCommitted: (_id, { wantsAdvance }) => news.push(wantsAdvance) },
    );
    await body(host, 'POST', '/a');
    await body(host, 'GET', '/a');
    expect(news).toEqual([true]);
  });

  it('in another process continues where one was killed between run and append', async () => {
    const store = await setUp();
    const { host: api } = hostOn(store);
    await Promise.all(range(1, 6).map(() => body(api, 'POST', '/a')));
    const { host: dying } = hostOn(store, SILENT, { sliceChanges: 2 });
    let appends = 0;
    store.before = (call) => (call === 'append' && ++appends === 2 ? Promise.reject(new Error('killed')) : undefined);
    await expect(dying.advance(ID)).rejects.toThrow();
    store.before = () => undefined;
    await hostOn(store).host.advance(ID);
    expect(await body(api, 'GET', '/a')).toMatchObject({ n: 6, seen: 6, revision: 12 });
  });

  it('beside requests in another process converges', async () => {
    const store = await setUp();
    const hub = new MemoryAnnouncements();
    const [{ host: api }, { host: worker }] = [
      hostOn(store, hub.announcer()),
      hostOn(store, hub.announcer(), { sliceChanges: 3 }),
    ];
    const heard = new Heard();
    await api.subscribe(ID, 0, heard.listener);
    let writing = true;
    const running = (async () => {
      while (writing) await worker.advance(ID);
    })();
    for (const round of range(1, 10))
      await Promise.all(range(1, 5).map((i) => body(api, 'POST', `/${(round + i) % 3}`)));
    writing = false;
    await running;
    await worker.advance(ID);
    const last = (await head(store))!;
    for (const name of ['/0', '/1', '/2']) {
      const { n, seen } = await body(api, 'GET', name);
      expect(seen).toBe(n);
    }
    expect(last).toBe(100);
    expect(heard.revisions).toEqual(range(1, last));
  });

  it('that breaks an assertion halts its cluster only, which still answers', async () => {
    const store = await setUp();
    await store.createCluster({ id: 'other', tenantId: 'acme', settings: {}, createdAt: 0 });
    const errors: unknown[] = [];
    const { host } = hostOn(store, SILENT, {}, { onError: (e) => errors.push(e) });
    await body(host, 'POST', '/bomb');
    await host.request('other', ask('POST', '/a'));
    expect(await host.advance(ID)).toEqual({ again: false, nextWake: undefined });
    expect((await store.cluster(ID))?.halted).toBe('assertion failed: bomb');
    expect(errors).toHaveLength(1);
    expect(await host.advance(ID)).toMatchObject({ again: false });
    expect(await store.overdue(Infinity, 10)).toEqual(['other']);
    expect(await body(host, 'GET', '/bomb')).toMatchObject({ n: 1 });
    await host.advance('other');
    expect(((await host.request('other', ask('GET', '/a'))) as BodyResponse).body).toContain('"seen":1');
    await host.resume(ID);
    await host.advance(ID);
    expect(host.metrics.halted).toBe(2);
  });
});

describe('subscriptions', () => {
  const written = async (store: LogStore, n: number, limits: Partial<Limits> = {}): Promise<ClusterHost> => {
    const { host } = hostOn(store, SILENT, limits);
    for (const _ of range(1, n)) await body(host, 'POST', '/a');
    return host;
  };

  it('resume from the window, and go on live', async () => {
    const host = await written(await setUp(), 5);
    const heard = new Heard();
    await host.subscribe(ID, 2, heard.listener);
    await body(host, 'POST', '/a');
    expect(heard.revisions).toEqual([3, 4, 5, 6]);
    expect(heard.changes.map((c) => (c.old as { spec?: { n: number } }).spec?.n)).toEqual([2, 3, 4, 5]);
  });

  it('resume from the store when the window is too short, with the objects before', async () => {
    const store = await setUp();
    const host = await written(store, 30, { watchCacheChanges: 2, readSegments: 4 });
    const heard = new Heard();
    await host.subscribe(ID, 3, heard.listener);
    await body(host, 'POST', '/a');
    expect(heard.revisions).toEqual(range(4, 31));
    expect(heard.changes.map((c) => (c.old as { spec?: { n: number } }).spec?.n)).toEqual(range(3, 30));
  });

  it('resume after a checkpoint, and have expired before it', async () => {
    const store = await setUp();
    const host = await written(store, 8, { tailChanges: 5, retentionMs: -60_000, watchCacheChanges: 1 });
    await settle(() => host.metrics.checkpoints === 1);
    const { host: fresh } = hostOn(store);
    const oldest = await store.oldestRetained(ID);
    expect(oldest).toBeGreaterThanOrEqual(5);
    const [heard, late] = [new Heard(), new Heard()];
    await fresh.subscribe(ID, oldest, heard.listener);
    await fresh.subscribe(ID, 2, late.listener);
    expect(heard.revisions).toEqual(range(oldest + 1, 8));
    expect(late).toMatchObject({ changes: [], ends: [`expired ${oldest}`] });
  });

  it('from a revision that is still to come begin after it', async () => {
    const host = await written(await setUp(), 1);
    const heard = new Heard();
    await host.subscribe(ID, 3, heard.listener);
    for (const _ of range(1, 4)) await body(host, 'POST', '/a');
    expect(heard.revisions).toEqual([4, 5]);
  });

  it('end when asked to, and when the cluster is deleted anywhere', async () => {
    const store = await setUp();
    const hub = new MemoryAnnouncements();
    const [{ host: one }, { host: other }] = [hostOn(store, hub.announcer()), hostOn(store, hub.announcer())];
    const [left, stayed] = [new Heard(), new Heard()];
    const leave = await one.subscribe(ID, 0, left.listener);
    await one.subscribe(ID, 0, stayed.listener);
    leave();
    await body(other, 'POST', '/a');
    await settle(() => stayed.changes.length === 1);
    expect(await other.deleteCluster(ID)).toBe(true);
    await settle(() => stayed.ends.length === 1);
    expect([left.changes, left.ends, stayed.ends]).toEqual([[], [], ['deleted']]);
    expect(await one.request(ID, ask('GET', '/a'))).toMatchObject({ status: 404 });
  });

  it('notice what was never announced', async () => {
    const store = await setUp();
    const [{ host: one }, { host: other }] = [hostOn(store, SILENT, { sweepMs: 20 }), hostOn(store)];
    const heard = new Heard();
    await one.subscribe(ID, 0, heard.listener);
    await body(other, 'POST', '/a');
    await settle(() => heard.changes.length === 1);
  });
});

describe('watches', () => {
  const watch = async (host: ClusterHost, from: number) =>
    host.watch(ID, (await host.request(ID, ask('WATCH', '/', String(from)))) as WatchResponse);
  const read = async (stream: AsyncIterable<unknown>, lines: number): Promise<string[]> => {
    let text = '';
    for await (const chunk of stream) {
      text += String(chunk);
      if (text.split('\n').length > lines) break;
    }
    return text.trim().split('\n');
  };

  it('send frames of past and live changes', async () => {
    const { host } = hostOn(await setUp());
    await body(host, 'POST', '/a');
    const stream = await watch(host, 0);
    await body(host, 'POST', '/a');
    await body(host, 'POST', '/b');
    expect(await read(stream, 3)).toEqual(['1:ADDED', '2:MODIFIED', '3:ADDED']);
    expect(stream.hasEnded).toBe(true);
  });

  it('of one kind encode a change once for all readers', async () => {
    const { host } = hostOn(await setUp());
    const response = (await host.request(ID, ask('WATCH', '/', '0'))) as WatchResponse;
    let encoded = 0;
    const counted = { ...response, encode: (c: AppliedChange) => (encoded++, response.encode(c)) };
    const streams = await Promise.all(range(1, 50).map(() => host.watch(ID, counted)));
    await body(host, 'POST', '/a');
    for (const stream of streams) expect(await read(stream, 1)).toEqual(['1:ADDED']);
    expect(encoded).toBe(1);
  });

  it('see the changes of their own resource only', async () => {
    const { host } = hostOn(await setUp());
    await body(host, 'POST', '/a');
    const response = (await host.request(ID, ask('WATCH', '/', '0'))) as WatchResponse;
    const stream = await host.watch(ID, { ...response, resource: 'pods', shareKey: 'pods' });
    await body(host, 'POST', '/a');
    stream.end();
    expect((await stream.next()).done).toBe(true);
  });

  it('cut off a reader that does not read, and nobody else', async () => {
    const { host } = hostOn(await setUp(), SILENT, { streamBytes: 100 });
    const [slow, fast] = [await watch(host, 0), await watch(host, 0)];
    const reading = read(fast, 30);
    for (const _ of range(1, 30)) await body(host, 'POST', '/a');
    expect(slow.hasEnded).toBe(true);
    expect(await reading).toHaveLength(30);
    expect(host.metrics.cutOff).toBe(1);
  });

  it('that have expired say so', async () => {
    const store = await setUp();
    const { host } = hostOn(store);
    await body(host, 'POST', '/a');
    await store.saveCheckpoint(ID, 1, await encodeCheckpoint({ revision: 1, now: 0, objects: [] }));
    await store.compact(ID, Date.now() + 60_000);
    expect(await read(await watch(hostOn(store).host, 0), 1)).toEqual(['410:0<1']);
  });

  it('end after their timeout with a bookmark', async () => {
    const { host } = hostOn(await setUp());
    await body(host, 'POST', '/a');
    const response = (await host.request(ID, ask('WATCH', '/', '1'))) as WatchResponse;
    expect(await read(await host.watch(ID, { ...response, timeoutSeconds: 0.02 }), 9)).toEqual(['1:BOOKMARK']);
  });
});

describe('streams', () => {
  it('are asked again at the time they name and after each change, and end when done', async () => {
    const { host } = hostOn(await setUp());
    let asked = 0;
    const response: StreamResponse = {
      type: 'stream',
      status: 200,
      headers: {},
      next: (now) => ({ chunk: `${++asked};`, done: asked === 4, wakeAt: asked < 3 ? now + 5 : undefined }),
    };
    let text = '';
    for await (const chunk of await host.stream(ID, response)) {
      text += String(chunk);
      if (text === '1;2;3;') void host.request(ID, ask('POST', '/a'));
    }
    expect(text).toBe('1;2;3;4;');
  });
});

describe('chaos', () => {
  it.each([1, 2, 3, 4, 5])('seed %i: no acknowledged write is lost, none is done twice, all agree', async (seed) => {
    const store = await setUp();
    const hub = new MemoryAnnouncements();
    let state = seed;
    const chance = (p: number): boolean => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 < p;
    const pause = () => new Promise<void>((resolve) => (chance(0.5) ? setImmediate(resolve) : setTimeout(resolve, 1)));
    const all = [1, 2, 3].map(
      () =>
        hostOn(store, hub.announcer(), { sliceChanges: 3, watchCacheChanges: 5, tailChanges: 20, readSegments: 3 })
          .host,
    );
    const heard = new Heard();
    await all[0]!.subscribe(ID, 0, heard.listener);
    let calm = false;
    const shaky = async () => {
      await pause();
      if (!calm && chance(0.1)) throw new Error('connection lost');
    };
    store.before = shaky;
    store.after = shaky;
    const answers: Record<string, unknown>[] = [];
    await Promise.all([
      ...all.map(async (host) => {
        for (let i = 0; i < 40; i++) answers.push(await body(host, 'POST', `/${i % 3}`));
      }),
      (async () => {
        for (let i = 0; i < 40; i++) await all[2]!.advance(ID).catch(() => undefined);
      })(),
    ]);
    calm = true;
    await all[1]!.advance(ID);
    const last = (await head(store))!;
    const final = await Promise.all(
      all.map((host) => Promise.all(['/0', '/1', '/2'].map((name) => body(host, 'GET', name)))),
    );
    expect(final[1]).toEqual(final[0]);
    expect(final[2]).toEqual(final[0]);
    const sum = final[0]!.reduce((n, c) => n + Number(c['n']), 0);
    const acknowledged = answers.filter((a) => a['status'] === 200);
    // Each acknowledged POST has a revision of its own.
    expect(new Set(acknowledged.map((a) => a['revision'])).size).toBe(acknowledged.length);
    expect(sum).toBeGreaterThanOrEqual(acknowledged.length);
    expect(sum).toBeLessThanOrEqual(answers.length);
    expect(final[0]!.every((c) => c['seen'] === c['n'])).toBe(true);
    expect(last).toBe(2 * sum);
    await settle(() => heard.changes.length >= last || heard.ends.length > 0);
    expect(heard).toMatchObject({ ends: [] });
    expect(heard.revisions).toEqual(range(1, last));
  });
});

describe('warm clusters', () => {
  it('are let go, least recently used first, but not while someone listens', async () => {
    const store = await setUp();
    const { host, engines } = hostOn(store, SILENT, { loadedClusters: 2 });
    for (const id of ['b', 'c', 'd']) await store.createCluster({ id, tenantId: 'acme', settings: {}, createdAt: 0 });
    await host.subscribe(ID, 0, new Heard().listener);
    for (const id of ['b', 'c', 'd', ID]) {
      await host.request(id, ask('POST', '/a'));
      await new Promise(setImmediate);
    }
    expect(engines).toHaveLength(4);
    await host.request('b', ask('GET', '/a'));
    expect([engines.length, host.metrics.evictions]).toEqual([5, 3]);
  });

  it('have their logs cut off behind a checkpoint when they are old', async () => {
    const store = await setUp();
    const { host } = hostOn(store, SILENT, { retentionMs: -60_000 });
    for (const _ of range(1, 3)) await body(host, 'POST', '/a');
    await store.saveCheckpoint(ID, 2, await encodeCheckpoint({ revision: 2, now: 0, objects: [] }));
    expect([await host.compact(10), await host.compact(10), await store.oldestRetained(ID)]).toEqual([1, 0, 2]);
    expect(host.gauges()).toMatchObject({ loadedClusters: 1, listeners: 0 });
  });

  it('write checkpoints in proportion to their log, however many objects they have', async () => {
    const store = await setUp();
    const { host } = hostOn(store, SILENT, { tailChanges: 10 });
    for (const i of range(1, 90)) {
      await body(host, 'POST', `/${i}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await settle(() => host.metrics.checkpoints >= 3);
    expect(host.metrics.checkpoints).toBeLessThan(7);
  });

  it('start on a checkpoint and its tail', async () => {
    const store = await setUp();
    const { host } = hostOn(store, SILENT, { tailChanges: 3 });
    for (const _ of range(1, 4)) await body(host, 'POST', '/a');
    await settle(() => host.metrics.checkpoints === 1);
    await body(host, 'POST', '/a');
    const { host: fresh } = hostOn(store);
    expect(await body(fresh, 'GET', '/a')).toMatchObject({ n: 5 });
    expect(fresh.metrics.caughtUpChanges).toBeLessThan(5);
  });

  it('of a template share its frozen state, moved to their own time; forks share their parent’s history', async () => {
    const store = await setUp();
    const made = new ToyEngine();
    made.handle(ask('POST', '/a'), 1_000);
    made.state.commit();
    await store.saveCheckpoint(templateOwner('basic'), 1, await encodeCheckpoint(made.checkpoint()));
    await store.createCluster({
      id: 'young',
      tenantId: 'acme',
      settings: {},
      createdAt: 61_500,
      base: { template: 'basic', revision: 1 },
    });
    const { host, engines } = hostOn(store, SILENT, {}, { now: () => 70_000 });
    await host.request('young', ask('GET', '/a'));
    expect(engines[0]!.state.now).toBe(70_000);
    expect(Object.isFrozen(engines[0]!.state.lookup('counters', '', 'a'))).toBe(true);
    await host.request('young', ask('POST', '/a'));
    await host.request('young', ask('POST', '/a'));
    await store.createCluster({
      id: 'fork',
      tenantId: 'acme',
      settings: {},
      createdAt: 99_000,
      base: { parent: 'young', revision: 2 },
    });
    expect(((await host.request('fork', ask('POST', '/a'))) as BodyResponse).body).toBe(
      '{"n":3,"seen":0,"revision":3}',
    );
    expect(((await host.request('young', ask('GET', '/a'))) as BodyResponse).body).toBe(
      '{"n":3,"seen":0,"revision":3}',
    );
  });
});
