import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ClusterUse } from './cluster-use.js';

type Entries = readonly { readonly id: string; readonly at: number }[];

let written: Entries[];
let errors: unknown[];
let isBroken: boolean;
let use: ClusterUse;
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  [written, errors, isBroken] = [[], [], false];
  use = new ClusterUse({
    store: {
      touch: async (entries) => {
        if (isBroken) throw new Error('connection refused');
        written.push(entries);
      },
    },
    onError: (error) => errors.push(error),
  });
});
afterEach(() => {
  jest.useRealTimers();
  return use.close();
});

test('many uses are one write, with the last time of each cluster', async () => {
  use.touch('a');
  jest.setSystemTime(1_000);
  use.touch('b');
  use.touch('a');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([
    [
      { id: 'a', at: 1_000 },
      { id: 'b', at: 1_000 },
    ],
  ]);
});

test('nothing is written when no cluster was used', async () => {
  use.touch('a');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(written).toHaveLength(1);
});

test('a cluster is in use as long as a source names it', async () => {
  const streams = ['a', 'b'];
  use.addSource(() => streams);
  await jest.advanceTimersByTimeAsync(10_000);
  streams.pop();
  await jest.advanceTimersByTimeAsync(10_000);
  streams.pop();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([
    [
      { id: 'a', at: 10_000 },
      { id: 'b', at: 10_000 },
    ],
    [{ id: 'a', at: 20_000 }],
  ]);
});

test('what could not be written is written later, unless there is a later use', async () => {
  isBroken = true;
  use.touch('a');
  use.touch('b');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(errors).toEqual([new Error('connection refused')]);
  isBroken = false;
  use.touch('b');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([
    [
      { id: 'a', at: 0 },
      { id: 'b', at: 10_000 },
    ],
  ]);
});

test('more than one statement’s worth is written in several', async () => {
  for (let i = 0; i < 5_001; i++) use.touch(`c${i}`);
  await use.flush();
  expect(written.map((entries) => entries.length)).toEqual([5_000, 1]);
});

test('closing writes what is left', async () => {
  use.touch('a');
  await use.close();
  expect(written).toEqual([[{ id: 'a', at: 0 }]]);
});
