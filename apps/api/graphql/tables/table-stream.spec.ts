import { expect, test } from '@jest/globals';
import { Refusal } from '@terrarium/platform';
import { TableStream } from './table-stream.js';
import type { TableBatch } from './types.js';

const batch = (revision: number, reset = false): TableBatch => ({ reset, rows: [], removed: [], revision });

function manualFeed() {
  const state = { all: batch(1, true), added: 0, removed: 0, closed: 0 };
  const feed = { all: () => state.all, add: () => void state.added++, remove: () => void state.removed++ };
  return { state, stream: new TableStream(feed, () => void state.closed++) };
}

test('all rows come first, then batches', async () => {
  const { stream } = manualFeed();
  // It is in the rows that come first.
  stream.batch(batch(1));
  expect((await stream.next()).value).toEqual(batch(1, true));
  const next = stream.next();
  stream.batch(batch(2));
  stream.batch(batch(3));
  expect([(await next).value.revision, (await stream.next()).value.revision]).toEqual([2, 3]);
});

test('a slow subscriber gets all rows instead of what has gathered', async () => {
  const { stream, state } = manualFeed();
  await stream.next();
  for (let i = 2; i < 1_000; i++) stream.batch(batch(i));
  state.all = batch(999, true);
  expect((await stream.next()).value).toBe(state.all);
  stream.batch(batch(1_000));
  expect((await stream.next()).value.revision).toBe(1_000);
});

test('who leaves is forgotten, once', async () => {
  const { stream, state } = manualFeed();
  await stream.next();
  const waiting = stream.next();
  await stream.return();
  await stream.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(state).toMatchObject({ added: 1, removed: 1, closed: 1 });
});

test('a failure ends it', async () => {
  const { stream, state } = manualFeed();
  await stream.next();
  stream.failed(new Refusal(404, 'gone'));
  await expect(stream.next()).rejects.toThrow('gone');
  expect(state.closed).toBe(1);
});
