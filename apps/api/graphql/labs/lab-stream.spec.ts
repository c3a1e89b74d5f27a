import { expect, test } from '@jest/globals';
import type { Listener } from '@terrarium/host';
import type { nouns } from '@terrarium/platform';
import { LabStream } from './lab-stream.js';

const view = (score: number): nouns.LabView => ({
  ...{ name: 'lab', learner: 'ada', title: 'Lab', summary: '', intro: '', finish: '', node: 'control-plane' },
  ...{ step: 1, score, points: 4, steps: [] },
});
const change = (resource: string) => [{ resource }] as unknown as Parameters<Listener['changes']>[0];

async function openStream(interval: number, ...views: nouns.LabView[]) {
  const calls: string[] = [];
  let listener: Listener | undefined;
  const stream = await LabStream.open({
    first: view(0),
    read: async () => views.shift() ?? view(9),
    subscribe: async (given) => {
      listener = given;
      return () => void calls.push('left');
    },
    onCheck: () => void calls.push('check'),
    onEnd: () => void calls.push('end'),
    interval,
  });
  return { stream, calls, listener: listener! };
}

test('a lab is told as it is, and at once when a check has changed', async () => {
  const { stream, calls, listener } = await openStream(3_600_000, view(2));
  expect((await stream.next()).value.score).toBe(0);
  const next = stream.next();
  void listener.changes(change('pods'));
  void listener.changes(change('checks.terrarium.dev'));
  expect((await next).value.score).toBe(2);
  expect(calls).toEqual(['check']);
});

test('what no change tells is found by looking, and the same is not told twice', async () => {
  const { stream } = await openStream(1, view(0), view(0), view(3));
  const told = [(await stream.next()).value.score, (await stream.next()).value.score];
  expect(told).toEqual([0, 3]);
});

test('who leaves is waited for no longer, and is counted no more', async () => {
  const { stream, calls } = await openStream(3_600_000);
  await stream.next();
  const next = stream.next();
  await stream.return();
  await stream.return();
  expect([await next, calls]).toEqual([{ done: true, value: undefined }, ['left', 'end']]);
});

test('the end of the cluster is an error', async () => {
  const { stream, listener } = await openStream(3_600_000);
  await stream.next();
  const next = stream.next();
  listener.ended('deleted');
  await expect(next).rejects.toThrow('the stream was closed: deleted');
});
