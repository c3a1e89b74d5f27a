import { expect, test } from '@jest/globals';
import { alignTabs, DETAILS, formatRows } from './tabwriter.js';

test.each([
  ['a\tb\nccc\td', 'a    b\nccc  d'],
  ['Name:\tx\n\nLonger name:\ty', 'Name:  x\n\nLonger name:  y'],
  ['a\tb\tc\nd\te', 'a  b  c\nd  e'],
  ['x \ty \n', 'x   y \n'],
  ['none', 'none'],
])('%j in columns', (text, expected) => expect(alignTabs(text, DETAILS)).toBe(expected));

test('a table of get has columns of at least six and three blanks between them', () =>
  expect(
    formatRows([
      ['NAME', 'READY'],
      ['web-0', '1/1'],
    ]),
  ).toBe('NAME    READY\nweb-0   1/1\n'));
