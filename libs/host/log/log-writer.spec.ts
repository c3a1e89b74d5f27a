import { describe, expect, it } from '@jest/globals';
import { AssertionError } from '@terrarium/engine';
import { ID, SILENT, createStore, openHost, RecordingListener, send } from '../testing.js';

describe('LogWriter', () => {
  it('runs again on what the winner of a race wrote', async () => {
    const store = await createStore();
    const [{ host: one }, { host: other }] = [openHost(store), openHost(store)];
    await Promise.all([send(one, 'GET', '/a'), send(other, 'GET', '/a')]);
    const answers = await Promise.all([one, other, one, other].map((host) => send(host, 'POST', '/a')));
    expect(answers.map((a) => a['n']).sort()).toEqual([1, 2, 3, 4]);
    expect(await send(one, 'GET', '/a')).toMatchObject({ n: 4 });
    expect(one.metrics.lostRaces + other.metrics.lostRaces).toBeGreaterThan(0);
  });

  it('takes the row lock after two lost races', async () => {
    const store = await createStore();
    const [{ host }, { host: rival }] = [openHost(store), openHost(store)];
    await send(host, 'GET', '/a');
    let races = 5;
    let rivalWrites = false;
    store.before = async (call) => {
      if (call !== 'append' || rivalWrites || races-- <= 0) return;
      rivalWrites = true;
      await send(rival, 'POST', '/b');
      rivalWrites = false;
    };
    expect(await send(host, 'POST', '/a')).toMatchObject({ n: 1, status: 200 });
    expect(host.metrics).toMatchObject({ lostRaces: 2, rowLocks: 1 });
    expect(await send(rival, 'GET', '/a')).toMatchObject({ n: 1 });
  });

  it('does not acknowledge a write whose append the locked store refuses', async () => {
    const store = await createStore();
    const errors: unknown[] = [];
    const { host } = openHost(store, SILENT, {}, { onError: (error) => errors.push(error) });
    await send(host, 'GET', '/a');
    store.append = async () => ({ ok: false, head: 7, bytes: 0 });
    const withLock = store.withLock.bind(store);
    store.withLock = (id, run) =>
      withLock(id, (locked) => run({ ...locked, append: async () => ({ ok: false, head: 7, bytes: 0 }) }));
    expect(await send(host, 'POST', '/a')).toMatchObject({ status: 503 });
    expect(errors.map(String)).toEqual(['Error: the head of a locked cluster is 7, not 0']);
    expect(errors[0]).toBeInstanceOf(AssertionError);
    expect(await send(openHost(store).host, 'GET', '/a')).toMatchObject({ n: 0 });
  });

  it('loses nothing that was acknowledged when the store fails before the append', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    await send(host, 'POST', '/a');
    store.before = () => Promise.reject(new Error('connection refused'));
    expect(await send(host, 'POST', '/a')).toMatchObject({ code: 504, message: 'etcdserver: request timed out' });
    expect(await send(host, 'GET', '/a')).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
    store.before = () => undefined;
    expect(await send(host, 'POST', '/a')).toMatchObject({ n: 2, status: 200 });
    expect(await send(openHost(store).host, 'GET', '/a')).toMatchObject({ n: 2 });
  });

  it('finds out the outcome when the store fails after the append', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    await send(host, 'GET', '/a');
    const heard = new RecordingListener();
    await host.subscribe(ID, 0, heard.listener);
    store.after = (call) => (call === 'append' ? Promise.reject(new Error('connection reset')) : undefined);
    expect(await send(host, 'POST', '/a')).toMatchObject({ code: 504 });
    store.after = () => undefined;
    expect(await send(host, 'POST', '/a')).toMatchObject({ n: 2, status: 200 });
    expect(heard.revisions).toEqual([1, 2]);
  });
});
