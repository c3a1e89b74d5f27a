import { expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { LearnerStream } from './learner-stream.js';

const learner = (name: string, step: number, revision = 1): nouns.Learner => ({
  ...{ name, clusterId: name, step, steps: 3, done: [], score: 0, points: 0, checks: [] },
  ...{ lastActivity: String(revision), lastCommand: '', revision, state: 'running' },
});

test('all first, then who has got further, and who is gone; a revision alone is no news', async () => {
  const looks = [
    [learner('a', 1), learner('b', 1)],
    [learner('a', 1, 2), learner('b', 1)],
    [learner('a', 2, 3), learner('b', 1)],
    [learner('a', 2, 4)],
  ];
  const stream = new LearnerStream(async () => looks.shift() ?? [], 1);
  const told = [];
  for (let i = 0; i < 3; i++)
    told.push(((await stream.next()).value as nouns.Learner[]).map((l) => [l.name, l.step, l.state]));
  expect(told).toEqual([
    [
      ['a', 1, 'running'],
      ['b', 1, 'running'],
    ],
    [['a', 2, 'running']],
    [['b', 1, 'deleted']],
  ]);
});

test('who leaves is waited for no longer', async () => {
  const stream = new LearnerStream(async () => [], 60_000);
  expect(await stream.next()).toEqual({ done: false, value: [] });
  const next = stream.next();
  await stream.return();
  expect(await next).toEqual({ done: true, value: undefined });
});
