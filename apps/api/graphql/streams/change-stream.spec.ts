import { expect, test } from '@jest/globals';
import type { AppliedChange } from '@terrarium/engine';
import type { ClusterHost, Listener } from '@terrarium/host';
import { ChangeStream } from './change-stream.js';

/** A host whose one subscription is driven by hand. */
function manualHost() {
  const state = { from: -1, unsubscribed: 0, listener: undefined as Listener | undefined };
  const host = {
    subscribe: async (_id: string, from: number, listener: Listener) => {
      Object.assign(state, { from, listener });
      return () => void state.unsubscribed++;
    },
  } as unknown as ClusterHost;
  return { host, state };
}
const change = (revision: number, resource = 'pods', namespace = 'default'): AppliedChange => ({
  revision,
  type: 'put',
  resource,
  namespace,
  name: 'web',
  object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace } },
  old: undefined,
  actor: 'user',
  cause: 0,
  at: 0,
});

test('events come in order, those that waited first', async () => {
  const { host, state } = manualHost();
  const stream = await ChangeStream.open(host, 'c1', 4, {});
  expect(state.from).toBe(4);
  void state.listener!.changes([change(5), change(6)]);
  expect([(await stream.next()).value.revision, (await stream.next()).value.revision]).toEqual([5, 6]);
  const next = stream.next();
  void state.listener!.changes([change(7)]);
  expect((await next).value.revision).toBe(7);
});

test('other resources and namespaces are left out', async () => {
  const { host, state } = manualHost();
  const stream = await ChangeStream.open(host, 'c1', 0, { resource: 'pods', namespace: 'default' });
  void state.listener!.changes([change(1, 'services'), change(2, 'pods', 'other'), change(3)]);
  expect((await stream.next()).value.revision).toBe(3);
});

test('a subscriber that leaves is unsubscribed, and its wait ends', async () => {
  const { host, state } = manualHost();
  const stream = await ChangeStream.open(host, 'c1', 0, {});
  const waiting = stream.next();
  await stream.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(state.unsubscribed).toBe(1);
});

test.each<[Parameters<Listener['ended']>, number, string]>([
  [['expired', 9], 410, 'the revision is no longer retained; the oldest to resume from is 9'],
  [['deleted'], 404, 'the cluster has been deleted'],
  [['closed'], 410, 'the stream was closed: resume from the last revision it has seen'],
])('ended by %j', async (reason, status, message) => {
  const { host, state } = manualHost();
  const stream = await ChangeStream.open(host, 'c1', 0, {});
  void state.listener!.changes([change(1)]);
  state.listener!.ended(...reason);
  expect((await stream.next()).value.revision).toBe(1);
  await expect(stream.next()).rejects.toMatchObject({ status, message });
});

test('a subscriber that is too slow is cut off', async () => {
  const { host, state } = manualHost();
  const stream = await ChangeStream.open(host, 'c1', 0, {});
  for (let revision = 1; revision <= 5_001; revision++) void state.listener!.changes([change(revision)]);
  await expect(stream.next()).rejects.toMatchObject({
    status: 410,
    message: 'the subscriber is too slow: resume from the last revision it has seen',
  });
  expect(state.unsubscribed).toBe(1);
});
