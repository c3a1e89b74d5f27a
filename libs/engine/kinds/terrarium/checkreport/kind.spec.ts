import { expect, test } from '@jest/globals';
import { context, make } from '../../testing.js';
import { kind as Reports } from './kind.js';

const part = { name: 'a', phase: 'Failed', points: 0, share: 2, message: 'it held', revision: 7, decided: true };
const check = {
  metadata: { name: 'one' },
  spec: { title: 'One', parts: [{ name: 'a', title: 'A', hint: 'Look.', points: 2, never: 'size(pods) > 1' }] },
  status: { phase: 'Failed', score: 0, points: 2, message: 'A: it held', hint: 'Look.', parts: [part] },
};

test('results of checks, without what they ask for', () => {
  const read = { ...context.read, revision: 9, list: () => [check] };
  const client = {} as never;
  const { status } = Reports.evaluate!(make(Reports), client, { ...context, read } as never);
  const { decided: _decided, ...shown } = part;
  expect(status).toEqual({
    ...{ score: 0, points: 2, revision: 9 },
    items: [
      {
        ...{ name: 'one', title: 'One', phase: 'Failed', score: 0, points: 2, message: 'A: it held', hint: 'Look.' },
        parts: [{ ...shown, title: 'A', hint: 'Look.' }],
      },
    ],
  });
  expect(JSON.stringify(status)).not.toContain('size(pods)');
});
