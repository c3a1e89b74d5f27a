import { expect, test } from '@jest/globals';
import { formatTable } from './output.js';

test('cells are filled up to their column, with tabs between them', () =>
  expect(
    formatTable([
      ['NAME', 'URL'],
      ['a', 'https://x'],
    ]),
  ).toBe('NAME\tURL      \na   \thttps://x\n'));

test('what is too wide is cut', () => expect(formatTable([['A'], ['abcdefgh']], 5)).toBe('A    \nab...\n'));
