import { expect, test } from '@jest/globals';
import { baseName, joinPath, normalizePath, parentPath } from './path.js';

test.each([
  ['/', 'a', '/a'],
  ['/a', 'b', '/a/b'],
])('joinPath(%s, %s) = %s', (directory, name, path) => {
  expect(joinPath(directory, name)).toBe(path);
});

test.each([
  ['/', '/', ''],
  ['/a', '/', 'a'],
  ['/a/b', '/a', 'b'],
])('%s is in %s by the name %s', (path, parent, name) => {
  expect([parentPath(path), baseName(path)]).toEqual([parent, name]);
});

test.each([
  ['', '/'],
  ['/', '/'],
  ['a//b/', '/a/b'],
  ['/a/./b/../c', '/a/c'],
  ['/../..', '/'],
])('normalizePath(%j) = %s', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});
