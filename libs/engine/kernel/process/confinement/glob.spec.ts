import { expect, test } from '@jest/globals';
import { matchesGlob } from './glob.js';

test.each([
  ['/**', '/tmp/test', true],
  ['/**', '/', true],
  ['/tmp/*', '/tmp/a', true],
  ['/tmp/*', '/tmp/a/b', false],
  ['/tmp/**', '/tmp/a/b', true],
  ['/tmp/**', '/tmp', false],
  ['/etc/?o', '/etc/fo', true],
  ['/etc/?o', '/etc//o', false],
  ['/proc/[0-9]*/mem', '/proc/12/mem', true],
  ['/proc/[^0-9]*', '/proc/1', false],
  ['/a\\*b', '/a*b', true],
  ['/a\\*b', '/axb', false],
  ['/exact', '/exactly', false],
  ['/**/x', '/a/b/x', true],
])('%s and %s: %s', (pattern, path, expected) => expect(matchesGlob(pattern, path)).toBe(expected));

test('many stars take no long time', () =>
  expect(matchesGlob(`/${'**a'.repeat(50)}b`, `/${'a'.repeat(2_000)}`)).toBe(false));
