import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { BodyResponse } from '@terrarium/engine';
import { prepareBody } from './prepare-body.js';

let now = 0;
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => void jest.restoreAllMocks());

/** A body of so many pieces, each of which takes `ms`. */
const bodyOf = (pieces: number, ms: number): BodyResponse => ({
  type: 'body',
  status: 200,
  headers: { a: 'b' },
  body: 'text',
  *prepare() {
    for (let i = 0; i < pieces; i++) {
      now += ms;
      yield;
    }
  },
});

test.each([
  ['short pieces share a turn', 30, 4, [12, 12, 12, 12, 12, 12, 12, 12, 12, 12]],
  ['a long one has its own', 2, 50, [50, 50]],
  ['a small body has none', 2, 1, []],
])('%s', async (_, pieces, ms, turns) => {
  const taken: number[] = [];
  const response = await prepareBody(bodyOf(pieces, ms), async (took) => void taken.push(took));
  expect(taken).toEqual(turns);
  expect(response).toEqual({ type: 'body', status: 200, headers: { a: 'b' }, body: 'text' });
});

test('a body that is there is given as it is', async () => {
  const response: BodyResponse = { type: 'body', status: 200, headers: {}, body: 'text' };
  expect(await prepareBody(response, () => Promise.reject(new Error('no turn')))).toBe(response);
});

test('a body of pieces is not joined', async () => {
  const response: BodyResponse = {
    ...bodyOf(2, 50),
    pieces: ['te', 'xt'],
    get body(): string {
      throw new Error('joined');
    },
  };
  expect((await prepareBody(response, () => Promise.resolve())).pieces).toEqual(['te', 'xt']);
});
