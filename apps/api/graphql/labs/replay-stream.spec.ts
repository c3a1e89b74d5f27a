import { expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { ReplayStream } from './replay-stream.js';

const act = (ms: number, text: string): nouns.SessionAct => ({
  ...{ type: 'command', at: new Date(ms).toISOString(), revision: ms, text },
  ...{ actor: '', step: '', done: false },
});
const ACTS = [act(0, 'ls'), act(200, 'cd'), act(100_000_000, 'exit')];

test('acts come as far apart as they were, divided by the speed', async () => {
  const stream = new ReplayStream(ACTS.slice(0, 2), 2);
  const started = performance.now();
  const told = [];
  for await (const { text } of stream) told.push(text);
  expect(told).toEqual(['ls', 'cd']);
  expect(performance.now() - started).toBeGreaterThanOrEqual(95);
});

test('at speed 0 as fast as they are read', async () => {
  const told = [];
  for await (const { text } of new ReplayStream(ACTS, 0)) told.push(text);
  expect(told).toEqual(['ls', 'cd', 'exit']);
});

test('who leaves is waited for no longer', async () => {
  const stream = new ReplayStream(ACTS.slice(1), 1);
  await stream.next();
  const next = stream.next();
  await stream.return();
  expect(await next).toEqual({ done: true, value: undefined });
});

test.each([-1, Number.NaN, 1e9])('a speed of %d is refused', (speed) =>
  expect(() => new ReplayStream(ACTS, speed)).toThrow('speed: must be from 0'),
);
