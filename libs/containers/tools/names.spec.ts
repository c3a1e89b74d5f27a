import { expect, test } from '@jest/globals';
import { cutLines, lastName, parentName } from './names.js';

test.each([
  ['a/b//', 'b', 'a'],
  ['/a', 'a', ''],
  ['a', 'a', ''],
  ['/', '', ''],
  ['/x//y', 'y', '/x'],
])('%s is %s in %s', (path, name, parent) => expect([lastName(path), parentName(path)]).toEqual([name, parent]));

test.each([
  ['', []],
  ['a\n\nb', ['a\n', '\n', 'b']],
  ['a\n', ['a\n']],
])('%j has the lines %j', (text, lines) => expect(cutLines(text)).toEqual(lines));
