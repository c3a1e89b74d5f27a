import { expect, test } from '@jest/globals';
import { afterCursor, isUuid, pageOf } from './page.js';

const ID = '0c1fa0f5-5f0e-4f9b-9d7b-6a1f6f0c4d11';
const row = (ms: number) => ({ id: ID, createdAt: new Date(ms) });

test('a page names where the next one begins, and the last one names nothing', () => {
  const rows = [row(1), row(2), row(3)];
  const ms = ({ createdAt }: { createdAt: Date }): number => createdAt.getTime();
  expect(pageOf(rows, 2, ms)).toEqual({ items: [1, 2], nextCursor: `2.${ID}` });
  expect(pageOf(rows, 3, ms)).toEqual({ items: [1, 2, 3] });
  expect(pageOf([], 3, ms)).toEqual({ items: [] });
});

test('the rows after a cursor are younger, or of the same instant with a greater id', () => {
  expect(afterCursor(undefined)).toEqual({});
  expect(afterCursor(`2.${ID}`)).toEqual({
    OR: [{ createdAt: { gt: new Date(2) } }, { createdAt: new Date(2), id: { gt: ID } }],
  });
});

test.each(['', 'c1', `2.${'-'.repeat(36)}`, `x.${ID}`, `2.${ID}x`])('%j is no cursor', (cursor) => {
  expect(() => afterCursor(cursor)).toThrow('cursor: must be nextCursor of the page before');
});

test.each([
  [ID, true],
  [ID.toUpperCase(), false],
  ['c1', false],
  ['', false],
])('%j is a UUID: %s', (id, expected) => expect(isUuid(id)).toBe(expected));
