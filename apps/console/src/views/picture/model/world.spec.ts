import { expect, test } from '@jest/globals';
import type { Batch } from './operations.generated.js';
import type { Row } from './row.js';
import { World } from './world.js';

const row = (name: string, more: Partial<Row> = {}): Row => ({
  ...{ kind: 'Pod', namespace: 'shop', name, uid: `u-${name}`, revision: 1, created: 0, is: { status: 'Pending' } },
  ...more,
});
const batch = (rows: Row[], more: Partial<Batch> = {}): Batch => ({
  ...{ begins: false, left: 0, revision: 1, at: 10, labels: [{ app: 'web' }], rows },
  ...more,
});
function live(rows: Row[] = []): World {
  const world = new World();
  world.apply(batch(rows, { begins: true }));
  return world;
}

test('a snapshot is not something that happens; what comes after it is', () => {
  const world = new World();
  expect(world.apply(batch([row('a')], { begins: true, left: 1 }))).toEqual([]);
  expect(world.apply(batch([row('b')]))).toEqual([]);
  const acts = world.apply(batch([row('c', { by: ['jane', 'system:kube-scheduler'], revision: 2 })], { revision: 2 }));
  expect(acts).toMatchObject([{ type: 'made', actor: 'system:kube-scheduler', thing: { name: 'c' } }]);
  expect([world.size, world.revision, world.left]).toEqual([3, 2, 0]);
});

test('a change keeps the record, tells what was before, and never goes back', () => {
  const world = live([row('a', { labels: 0 })]);
  const a = world.get('u-a')!;
  const acts = world.apply(batch([row('a', { revision: 5, is: { status: 'Running' } })]));
  expect(acts).toMatchObject([{ type: 'changed', before: { status: 'Pending' } }]);
  world.apply(batch([row('a', { revision: 4, is: { status: 'Older' } })]));
  expect([world.get('u-a') === a, a.is.status, a.labels]).toEqual([true, 'Running', {}]);
});

test('what is gone is found nowhere, and its number is used again', () => {
  const owner = { kind: 'ReplicaSet', name: 'r', uid: 'u-r' };
  const world = live([row('a', { owner }), row('b', { owner })]);
  expect([...world.ownedBy('u-r')].map(({ name }) => name)).toEqual(['a', 'b']);
  world.apply(batch([row('a', { gone: true, owner })]));
  expect([world.get('u-a'), world.find('Pod', 'shop', 'a'), world.pod(0), world.count('Pod')]).toEqual([
    ...[undefined, undefined, undefined, 1],
  ]);
  world.apply(batch([row('c')]));
  expect([world.get('u-c')!.index, world.top]).toEqual([0, 2]);
});

test('another object of the same name takes its place', () => {
  const world = live([row('a')]);
  world.apply(batch([row('a', { uid: 'other' })]));
  expect([world.size, world.find('Pod', 'shop', 'a')?.uid]).toEqual([1, 'other']);
});

test('a new snapshot makes void what was before', () => {
  const world = live([row('a')]);
  world.apply(batch([row('b')], { begins: true }));
  expect([...world.all('Pod')].map(({ name }) => name)).toEqual(['b']);
});
