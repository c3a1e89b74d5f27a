import { expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { AdvanceStream } from './advance-stream.js';

const at = (phase: nouns.Advance['phase'], progress: number): nouns.Advance => ({
  name: 'a',
  phase,
  progress,
  ran: [],
});

test('an advance is told when it has got further, and ends when it is over', async () => {
  const looks = [at('Running', 0), at('Running', 0), at('Running', 40), at('Succeeded', 100)];
  const told = [];
  for await (const { progress } of new AdvanceStream(async () => looks.shift()!, 1)) told.push(progress);
  expect(told).toEqual([0, 40, 100]);
});

test('who leaves is waited for no longer', async () => {
  const stream = new AdvanceStream(async () => at('Running', 1), 60_000);
  await stream.next();
  const next = stream.next();
  await new Promise((resolve) => setImmediate(resolve));
  await stream.return();
  expect(await next).toEqual({ done: true, value: undefined });
});
