import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MemoryAnnouncements, type Announcement } from '../index.js';
import { ID, SILENT, createStore, headOf, openHost, range, RecordingListener, send, waitUntil } from '../testing.js';

describe('LogFollower', () => {
  it('notices changes that were never announced', async () => {
    const store = await createStore();
    const [{ host: one }, { host: other }] = [openHost(store, SILENT, { sweepMs: 20 }), openHost(store)];
    const heard = new RecordingListener();
    await one.subscribe(ID, 0, heard.listener);
    await send(other, 'POST', '/a');
    await waitUntil(() => heard.changes.length === 1);
  });

  it('keeps two processes that write to one cluster in agreement', async () => {
    const store = await createStore();
    const hub = new MemoryAnnouncements();
    const [{ host: api }, { host: worker }] = [
      openHost(store, hub.announcer()),
      openHost(store, hub.announcer(), { sliceChanges: 3 }),
    ];
    const heard = new RecordingListener();
    await api.subscribe(ID, 0, heard.listener);
    let writing = true;
    const running = (async () => {
      while (writing) await worker.advance(ID);
    })();
    for (const round of range(1, 10))
      await Promise.all(range(1, 5).map((i) => send(api, 'POST', `/${(round + i) % 3}`)));
    writing = false;
    await running;
    await worker.advance(ID);
    const last = (await headOf(store))!;
    for (const name of ['/0', '/1', '/2']) {
      const { n, seen } = await send(api, 'GET', name);
      expect(seen).toBe(n);
    }
    expect(last).toBe(100);
    expect(heard.revisions).toEqual(range(1, last));
  });

  it('tells of heads that cannot be read', async () => {
    const store = await createStore();
    const errors: unknown[] = [];
    const { host } = openHost(store, SILENT, { sweepMs: 20 }, { onError: (error) => void errors.push(error) });
    await host.subscribe(ID, 0, new RecordingListener().listener);
    store.before = (call) => {
      if (call === 'heads') throw new Error('connection refused');
    };
    await waitUntil(() => errors.length > 0);
    expect(errors[0]).toEqual(new Error('connection refused'));
  });

  it('lets the event loop go round while it follows a burst', async () => {
    const store = await createStore();
    const announced: Announcement[] = [];
    const { host: worker } = openHost(store, { ...SILENT, publish: (each) => void announced.push(each) });
    let follow: (announcement: Announcement) => void;
    const { host: api, engines } = openHost(store, { ...SILENT, listen: (on) => void (follow = on) });
    await api.state(ID);
    for (const i of range(1, 12)) await send(worker, 'POST', `/${i}`);
    const engine = engines[0]!;
    const replay = engine.replay.bind(engine);
    engine.replay = (change) => {
      for (const end = performance.now() + 3; performance.now() < end;);
      return replay(change);
    };
    announced.forEach((each) => follow(each));
    let rounds = 0;
    for (; engine.revision < 12; rounds++) await setImmediate();
    expect(rounds).toBeGreaterThanOrEqual(3);
  });

  it('follows for a listener at once, and for nobody little by little', async () => {
    const store = await createStore();
    const announced: Announcement[] = [];
    const { host: worker } = openHost(store, { ...SILENT, publish: (each) => void announced.push(each) });
    let follow: (announcement: Announcement) => void;
    const { host: api, engines } = openHost(store, { ...SILENT, listen: (on) => void (follow = on) });
    await api.state(ID);
    for (const i of range(1, 12)) await send(worker, 'POST', `/${i}`);
    const engine = engines[0]!;
    const replay = engine.replay.bind(engine);
    engine.replay = (change) => {
      for (const end = performance.now() + 3; performance.now() < end;);
      return replay(change);
    };
    const started = performance.now();
    announced.forEach((each) => follow(each));
    await waitUntil(() => engine.revision >= 3);
    expect(performance.now() - started).toBeGreaterThan(20);
    const heard = new RecordingListener();
    await api.subscribe(ID, 0, heard.listener);
    await waitUntil(() => heard.revisions.length === 12);
    expect(heard.revisions).toEqual(range(1, 12));
  });

  it('replays what a request’s cluster has missed, without the store', async () => {
    const store = await createStore();
    const announced: Announcement[] = [];
    const { host: worker } = openHost(store, { ...SILENT, publish: (each) => void announced.push(each) });
    let follow: (announcement: Announcement) => void;
    const { host: api, engines } = openHost(store, { ...SILENT, listen: (on) => void (follow = on) });
    await api.state(ID);
    for (const i of range(1, 30)) await send(worker, 'POST', `/${i}`);
    const reads = store.calls['read'];
    announced.forEach((each) => follow(each));
    await send(api, 'GET', '/30');
    expect(engines[0]!.revision).toBe(30);
    expect(store.calls['read']).toBe(reads);
  });
});
