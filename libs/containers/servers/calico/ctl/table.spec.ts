import { expect, test } from '@jest/globals';
import { lined, tabbed } from './table.js';

test('columns are as wide as their widest cell', () => {
  expect(
    tabbed([
      ['NAME', 'ASN'],
      ['worker-1', '1'],
    ]),
  ).toBe('NAME       ASN   \nworker-1   1     \n');
});

test('a table has lines, heads in the middle, and numbers at the right', () => {
  expect(lined(['KIND', 'IPS'], [['IP Pool', '64']])).toBe(
    '+---------+-----+\n|  KIND   | IPS |\n+---------+-----+\n| IP Pool |  64 |\n+---------+-----+\n',
  );
});
