import { expect, test } from '@jest/globals';
import { trimRight } from './strings.js';

test.each([
  ['/a/b//', '/', '/a/b'],
  ['/a/b', '/', '/a/b'],
  ['///', '/', ''],
  ['', '/', ''],
])('%j without %j at its end is %j', (text, char, expected) => expect(trimRight(text, char)).toBe(expected));
