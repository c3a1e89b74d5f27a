import { expect, test } from '@jest/globals';
import { unifiedDiff } from './unified-diff.js';

const lines = (...numbers: (number | string)[]): string => numbers.join('\n');

test.each<[string, string, string, string]>([
  ['nothing', lines(1, 2, 3), lines(1, 2, 3), ''],
  [
    'a line in the middle',
    lines(1, 2, 3, 4, 5, 6, 7, 8, 9),
    lines(1, 2, 3, 4, 'x', 6, 7, 8, 9),
    '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n',
  ],
  ['a line more at the end', lines(1, 2), lines(1, 2, 3), '@@ -1,2 +1,3 @@\n 1\n 2\n+3\n'],
  ['the only line', 'a', 'b', '@@ -1 +1 @@\n-a\n+b\n'],
  [
    'places far apart',
    lines('a', 2, 3, 4, 5, 6, 7, 8, 9, 'b'),
    lines('x', 2, 3, 4, 5, 6, 7, 8, 9, 'y'),
    '@@ -1,4 +1,4 @@\n-a\n+x\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-b\n+y\n',
  ],
])('%s', (_, before, after, expected) => expect(unifiedDiff(before, after)).toBe(expected));
