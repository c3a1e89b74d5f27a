import { expect, test } from '@jest/globals';
import { MemoryAnnouncements } from '../index.js';
import { createStore, ID, openHost, RecordingListener, send, waitUntil } from '../testing.js';

/** One counter 'a' at 7. */
const STATE = {
  revision: 3,
  now: 0,
  objects: [
    {
      resource: 'counters',
      object: { apiVersion: 'v1', kind: 'Counter', metadata: { name: 'a' }, spec: { n: 7 }, status: { seen: 7 } },
    },
  ],
};

test('a state replaces another in every process, and watches of before end as expired', async () => {
  const store = await createStore();
  const hub = new MemoryAnnouncements();
  const { host } = openHost(store, hub.announcer());
  const { host: other } = openHost(store, hub.announcer());
  for (let i = 0; i < 4; i++) await send(host, 'POST', '/a');
  const listeners = [new RecordingListener(), new RecordingListener(), new RecordingListener()];
  await host.subscribe(ID, 4, listeners[0]!.listener);
  await other.subscribe(ID, 4, listeners[1]!.listener);
  expect(await host.reset(ID, STATE, { anchor: null })).toBe(5);
  await waitUntil(() => listeners[1]!.ends.length > 0);
  await other.subscribe(ID, 4, listeners[2]!.listener);
  await waitUntil(() => listeners[2]!.ends.length > 0);
  expect(listeners.map(({ ends }) => ends)).toEqual([['expired 5'], ['expired 5'], ['expired 5']]);
  expect((await store.cluster(ID))?.settings).toEqual({ begun: { revision: 5, virtual: 0 } });
  expect(await send(other, 'POST', '/a')).toMatchObject({ n: 8, revision: 6 });
  expect(await send(host, 'GET', '/a')).toMatchObject({ n: 8, revision: 6 });
});

test('a copy that was not told finds out when it writes', async () => {
  const store = await createStore();
  const { host } = openHost(store);
  const { host: other } = openHost(store);
  await send(other, 'POST', '/a');
  await host.reset(ID, STATE, {});
  expect(await send(other, 'POST', '/a')).toMatchObject({ status: 200, n: 8 });
});

test('there is nothing to reset in a cluster that is not there', async () => {
  const { host } = openHost(await createStore());
  await expect(host.reset('none', STATE, {})).rejects.toThrow('does not exist');
});
