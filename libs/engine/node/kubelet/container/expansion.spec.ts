import { expect, test } from '@jest/globals';
import { expand } from './expansion.js';

// The cases of third_party/forked/golang/expansion/expand_test.go.
test.each([
  ['$(VAR_A)', 'A'],
  ['___$(VAR_B)___', '___B___'],
  ['$(VAR_A)$(VAR_B)', 'AB'],
  ['f000-$VAR_A', 'f000-$VAR_A'],
  ['$(VAR_DNE)', '$(VAR_DNE)'],
  ['$$(VAR_A)', '$(VAR_A)'],
  ['$$$(VAR_A)', '$A'],
  ['$$$$(VAR_A)', '$$(VAR_A)'],
  ['$(VAR_EMPTY)', ''],
  ['foo$(VAR_A)bar', 'fooAbar'],
  ['plain', 'plain'],
  ['$(VAR_A', '$(VAR_A'],
  ['$', '$'],
])('%s becomes %s', (text, expected) => {
  const variables = new Map([
    ['VAR_A', 'A'],
    ['VAR_B', 'B'],
    ['VAR_EMPTY', ''],
  ]);
  expect(expand(text, (name) => variables.get(name))).toBe(expected);
});
