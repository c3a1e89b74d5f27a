import { expect, test } from '@jest/globals';
import { compareVersions, parseConstraint, parseVersion } from './semver.js';

test.each([
  ['1.2.3', '1.2.4', -1],
  ['1.10.0', '1.9.0', 1],
  ['v1.2', '1.2.0', 0],
  ['1.0.0-alpha', '1.0.0', -1],
  ['1.0.0-alpha.2', '1.0.0-alpha.10', -1],
  ['1.0.0-alpha.1', '1.0.0-alpha.beta', -1],
  ['1.0.0+a', '1.0.0+b', 0],
])('%s against %s', (a, b, order) =>
  expect(Math.sign(compareVersions(parseVersion(a)!, parseVersion(b)!))).toBe(order),
);

test.each(['', 'x', '1.2.3.4', '1..2', '1.2.3-'])('%j is no version', (text) =>
  expect(parseVersion(text)).toBeUndefined(),
);

test.each([
  ['>=1.2.3', '1.3.0', true],
  ['^1.2.0', '2.0.0', false],
  ['^0.2.3', '0.3.0', false],
  ['~1.2.0', '1.2.9', true],
  ['~1', '1.9.0', true],
  ['1.x', '1.5.2', true],
  ['*', '1.0.0', true],
  ['>1.2', '1.2.5', false],
  ['<=1.2', '1.2.9', true],
  ['1.2 - 1.5', '1.4.0', true],
  ['>1 <3 || 5', '5.0.0', true],
  ['!=1.2.3', '1.2.3', false],
  ['>= 1.19, < 2', '1.36.3', true],
  ['>=1.21', '1.30.1-eks', false],
  ['>=1.21-0', '1.30.1-eks', true],
])('%s allows %s: %s', (constraint, version, allows) =>
  expect(parseConstraint(constraint)!(parseVersion(version)!)).toBe(allows),
);

test.each(['', 'foo', '>', '1.2 || '])('%j is no constraint', (text) => expect(parseConstraint(text)).toBeUndefined());
