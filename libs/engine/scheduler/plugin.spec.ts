import { expect, test } from '@jest/globals';
import { defaultNormalizeScore, unresolvable, unschedulable } from './plugin.js';

test.each<[number[], boolean, number[]]>([
  [[1, 2, 4], false, [25, 50, 100]],
  [[1, 2, 4], true, [75, 50, 0]],
  [[1, 3], false, [33, 100]],
  [[0, 0], false, [0, 0]],
  [[0, 0], true, [100, 100]],
])('%j, reversed %s', (scores, reverse, expected) => {
  const given = [...scores];
  defaultNormalizeScore(given, reverse);
  expect(given).toEqual(expected);
});

test('only some rejections are final', () =>
  expect([unschedulable('a', 'b'), unresolvable('c')]).toEqual([
    { reasons: ['a', 'b'], unresolvable: false },
    { reasons: ['c'], unresolvable: true },
  ]));
