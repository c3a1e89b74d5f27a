import { describe, expect, it } from '@jest/globals';
import type { AppliedChange, WatchResponse } from '@terrarium/engine';
import { encodeCheckpoint, type ClusterHost } from '../index.js';
import { ID, SILENT, apiRequest, createStore, openHost, range, readLines, requestWatch, send } from '../testing.js';

const watch = async (host: ClusterHost, fromRevision: number) => host.watch(ID, await requestWatch(host, fromRevision));

describe('openWatchStream', () => {
  it('sends frames of past and live changes', async () => {
    const { host } = openHost(await createStore());
    await send(host, 'POST', '/a');
    const stream = await watch(host, 0);
    await send(host, 'POST', '/a');
    await send(host, 'POST', '/b');
    expect(await readLines(stream, 3)).toEqual(['1:ADDED', '2:MODIFIED', '3:ADDED']);
    expect(stream.hasEnded).toBe(true);
  });

  it('encodes a change once for all readers of equal watches', async () => {
    const { host } = openHost(await createStore());
    const response = (await host.request(ID, apiRequest('WATCH', '/', '0'))) as WatchResponse;
    let encoded = 0;
    const counted = { ...response, encode: (c: AppliedChange) => (encoded++, response.encode(c)) };
    const streams = await Promise.all(range(1, 50).map(() => host.watch(ID, counted)));
    await send(host, 'POST', '/a');
    for (const stream of streams) expect(await readLines(stream, 1)).toEqual(['1:ADDED']);
    expect(encoded).toBe(1);
  });

  it('leaves out changes of other resources', async () => {
    const { host } = openHost(await createStore());
    await send(host, 'POST', '/a');
    const response = (await host.request(ID, apiRequest('WATCH', '/', '0'))) as WatchResponse;
    const stream = await host.watch(ID, { ...response, resource: 'pods', shareKey: 'pods' });
    await send(host, 'POST', '/a');
    stream.end();
    expect((await stream.next()).done).toBe(true);
  });

  it('cuts off a reader that does not read, and no other', async () => {
    const { host } = openHost(await createStore(), SILENT, { streamBytes: 100 });
    const [slow, fast] = [await watch(host, 0), await watch(host, 0)];
    const reading = readLines(fast, 30);
    for (const _ of range(1, 30)) await send(host, 'POST', '/a');
    expect(slow.hasEnded).toBe(true);
    expect(await reading).toHaveLength(30);
    expect(host.metrics.cutOff).toBe(1);
  });

  it('sends an error when the revision has expired', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    await send(host, 'POST', '/a');
    await store.saveCheckpoint(ID, 1, await encodeCheckpoint({ revision: 1, now: 0, objects: [] }));
    await store.compact(ID, Date.now() + 60_000);
    expect(await readLines(await watch(openHost(store).host, 0), 1)).toEqual(['410:0<1']);
  });

  it('ends after its timeout with a bookmark', async () => {
    const { host } = openHost(await createStore());
    await send(host, 'POST', '/a');
    const response = (await host.request(ID, apiRequest('WATCH', '/', '1'))) as WatchResponse;
    expect(await readLines(await host.watch(ID, { ...response, timeoutSeconds: 0.02 }), 9)).toEqual(['1:BOOKMARK']);
  });
});
