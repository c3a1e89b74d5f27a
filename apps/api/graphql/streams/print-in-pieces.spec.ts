import { expect, test } from '@jest/globals';
import { printInPieces } from './print-in-pieces.js';

test.each<[string, object]>([
  ['an error', { errors: [{ message: 'no', path: ['a', 0] }], data: null }],
  ['nothing', { data: {} }],
  ['lists of objects', { data: { a: { items: [{ b: [1, 'ü', null] }, {}], continue: undefined }, c: [], d: 1.5 } }],
  ['undefined in a list', { data: { a: [undefined, 1] } }],
])('%s', async (_, result) => expect(await printInPieces(result)).toBe(`${JSON.stringify(result)}\n`));

test('the event loop goes round while a large result is printed', async () => {
  const result = { data: { a: { items: Array.from({ length: 10 }, () => 'x'.repeat(100_000)) } } };
  let rounds = 0;
  const count = (): void => {
    rounds++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(JSON.parse(await printInPieces(result))).toEqual(result);
  clearImmediate(timer);
  expect(rounds).toBeGreaterThan(2);
});
