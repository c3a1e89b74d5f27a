import { expect, test } from '@jest/globals';
import { omitEmpty } from './omit-empty.js';

test('leaves out what Go leaves out, and keeps the rest', () => {
  const fields = { zero: 0, text: '', list: [], missing: undefined, false: false, one: 1, map: {}, items: [0] };
  expect(Object.entries(omitEmpty(fields))).toEqual([
    ['false', false],
    ['one', 1],
    ['map', {}],
    ['items', [0]],
  ]);
});
