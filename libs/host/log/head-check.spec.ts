import { expect, test } from '@jest/globals';
import { HeadCheck } from './head-check.js';

/** A store whose queries are answered by hand. */
function manualStore() {
  const queries: { ids: readonly string[]; answer(heads: [string, number][]): void; fail(error: Error): void }[] = [];
  const heads = (ids: readonly string[]) =>
    new Promise<Map<string, number>>((resolve, reject) =>
      queries.push({ ids, answer: (entries) => resolve(new Map(entries)), fail: reject }),
    );
  return { heads, queries };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('callers that wait together share one query, each with its own answer', async () => {
  const store = manualStore();
  const check = new HeadCheck(store);
  const answers = Promise.all([check.headOf('a'), check.headOf('b'), check.headOf('a'), check.headOf('none')]);
  await settle();
  expect(store.queries.map((query) => query.ids)).toEqual([['a', 'b', 'none']]);
  store.queries[0]!.answer([
    ['a', 1],
    ['b', 2],
  ]);
  expect(await answers).toEqual([1, 2, 1, undefined]);
});

test('a caller that comes while a query is under way gets the answer of the next one', async () => {
  const store = manualStore();
  const check = new HeadCheck(store);
  const early = check.headOf('a');
  await settle();
  const late = check.headOf('a');
  store.queries[0]!.answer([['a', 1]]);
  expect(await early).toBe(1);
  await settle();
  store.queries[1]!.answer([['a', 2]]);
  expect(await late).toBe(2);
});

test('a query that fails rejects its own callers only', async () => {
  const store = manualStore();
  const check = new HeadCheck(store);
  const early = check.headOf('a');
  await settle();
  const late = check.headOf('a');
  store.queries[0]!.fail(new Error('connection refused'));
  await expect(early).rejects.toThrow('connection refused');
  await settle();
  store.queries[1]!.answer([['a', 2]]);
  expect(await late).toBe(2);
});
