import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { AppliedChange, CheckpointState, KubeObject } from '@terrarium/engine';
import type { Listener } from '@terrarium/host';
import { PictureFeed, type LiveBatch, type PictureBatch } from './picture-feed.js';
import { pastPicture, PictureStream } from './picture-stream.js';

const FLUSH = 5;
const pod = (name: string, revision: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: String(revision) },
    spec: { containers: [] },
    status: { phase: 'Pending' },
  }) as unknown as KubeObject;
const change = (revision: number, name: string, more: Partial<AppliedChange> = {}): AppliedChange => ({
  ...{ revision, type: 'put', resource: 'pods', namespace: 'shop', name, object: pod(name, revision) },
  ...{ old: undefined, actor: 'replicaset-controller', cause: revision - 1, at: revision * 10 },
  ...more,
});

/** A cluster that is driven by hand. */
function cluster() {
  const it = {
    revision: 10,
    objects: [] as { resource: string; object: KubeObject }[],
    listener: undefined as Listener | undefined,
    open: 0,
  };
  const feed = new PictureFeed(
    {
      revision: async () => it.revision,
      state: async () => ({ revision: it.revision, now: 5, objects: it.objects }) as CheckpointState,
      subscribe: async (_, listener) => {
        it.listener = listener;
        it.open++;
        return () => void it.open--;
      },
    },
    FLUSH,
  );
  return { it, feed };
}
const now = async <T>(work: () => T): Promise<T> => work();
const names = ({ rows }: Pick<PictureBatch, 'rows'>): string[] => rows.map((row) => row.name);
const take = async (stream: AsyncIterator<PictureBatch>): Promise<PictureBatch> => (await stream.next()).value;

test('a snapshot in parts comes first, then what changes', async () => {
  const { it, feed } = cluster();
  it.objects = Array.from({ length: 1_200 }, (_, i) => ({ resource: 'pods', object: pod(`p${i}`, i) }));
  it.objects.push({ resource: 'secrets', object: pod('hidden', 9) });
  const stream = await PictureStream.open(feed, now);
  const parts = [await take(stream), await take(stream), await take(stream)];
  expect(parts.map(({ begins, left, rows }) => [begins, left, rows.length])).toEqual([
    [true, 700, 500],
    [false, 200, 500],
    [false, 0, 200],
  ]);
  void it.listener!.changes([change(11, 'new')]);
  expect(await take(stream)).toMatchObject({ begins: false, revision: 11, at: 110, rows: [{ name: 'new' }] });
});

test('an empty cluster has an empty snapshot', async () => {
  const stream = await PictureStream.open(cluster().feed, now);
  expect(await take(stream)).toMatchObject({ begins: true, left: 0, rows: [] });
});

test('of many changes of one object the last one is told, with all who made them', async () => {
  const { it, feed } = cluster();
  const stream = await PictureStream.open(feed, now);
  await take(stream);
  void it.listener!.changes([
    change(11, 'a'),
    change(12, 'a', { actor: 'kube-scheduler' }),
    change(13, 'b', { resource: 'events' }),
    change(14, 'a', { actor: 'kubelet', cause: 12 }),
  ]);
  const { rows, revision } = await take(stream);
  expect(revision).toBe(14);
  expect(rows).toMatchObject([
    { name: 'a', revision: 14, cause: 12, by: ['replicaset-controller', 'kube-scheduler', 'kubelet'] },
  ]);
});

test('what the snapshot has already is not told again, so that nothing deleted comes back', async () => {
  const { it, feed } = cluster();
  await PictureStream.open(feed, now);
  // The second one joins while changes wait: its snapshot is of after them.
  void it.listener!.changes([change(11, 'old'), change(12, 'older')]);
  it.revision = 12;
  const stream = await PictureStream.open(feed, now);
  await take(stream);
  void it.listener!.changes([change(13, 'new')]);
  expect(names(await take(stream))).toEqual(['new']);
});

test('a deletion is told', async () => {
  const { it, feed } = cluster();
  const stream = await PictureStream.open(feed, now);
  await take(stream);
  void it.listener!.changes([change(11, 'a', { type: 'delete' })]);
  expect((await take(stream)).rows).toMatchObject([{ name: 'a', gone: true }]);
});

test('all who look share one subscription and the same batches; the last one closes it', async () => {
  const { it, feed } = cluster();
  const [one, two] = [await PictureStream.open(feed, now), await PictureStream.open(feed, now)];
  await take(one);
  await take(two);
  expect([it.open, feed.size]).toEqual([1, 2]);
  void it.listener!.changes([change(11, 'a')]);
  expect(await take(one)).toBe(await take(two));
  const waiting = one.next();
  await one.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(it.open).toBe(1);
  await two.return();
  await setTimeout(0);
  expect([it.open, feed.size]).toEqual([0, 0]);
});

test('one that is too slow begins anew with a snapshot, and holds no more than that', async () => {
  const { it, feed } = cluster();
  const stream = await PictureStream.open(feed, now);
  await take(stream);
  for (let i = 0; i < 12; i++) {
    void it.listener!.changes(Array.from({ length: 1_000 }, (_, k) => change(11 + i * 1_000 + k, `p${i}-${k}`)));
    await setTimeout(FLUSH * 3);
  }
  it.revision = 12_010;
  it.objects = [{ resource: 'pods', object: pod('survivor', 12_000) }];
  expect(await take(stream)).toMatchObject({ begins: true, left: 0, rows: [{ name: 'survivor' }] });
});

test('a large burst is cut into batches', async () => {
  const { it, feed } = cluster();
  const sizes: number[] = [];
  await feed.join({ batch: (batch: LiveBatch) => void sizes.push(batch.rows.length), ended: () => undefined });
  void it.listener!.changes(Array.from({ length: 2_500 }, (_, k) => change(11 + k, `p${k}`)));
  await setTimeout(FLUSH * 5);
  expect(sizes).toEqual([1_000, 1_000, 500]);
});

test.each([
  ['deleted', 404],
  ['closed', 410],
] as const)('a cluster that is %s ends it with %i', async (reason, status) => {
  const { it, feed } = cluster();
  let left = 0;
  const stream = await PictureStream.open(feed, now, () => void left++);
  await take(stream);
  it.listener!.ended(reason);
  await expect(stream.next()).rejects.toMatchObject({ status });
  await stream.return();
  expect(left).toBe(1);
});

test('the past is a snapshot and no more', async () => {
  const { it } = cluster();
  it.objects = [{ resource: 'pods', object: pod('then', 3) }];
  const told: PictureBatch[] = [];
  const state = { revision: 4, now: 40, objects: it.objects } as unknown as CheckpointState;
  for await (const batch of pastPicture(state, now)) told.push(batch);
  expect(told).toMatchObject([{ begins: true, left: 0, revision: 4, at: 40, rows: [{ name: 'then' }] }]);
});
