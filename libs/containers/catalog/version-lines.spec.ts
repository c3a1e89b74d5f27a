import { expect, test } from '@jest/globals';
import { versionOf } from './bases.js';

test.each([
  ['8.0', '9.5.0', '8.0.44'],
  ['8.0.30-debian', '9.5.0', '8.0.30'],
  ['7-alpine', '8.4.0', '7.4.7'],
  ['1.27', '1.29.4', '1.27.5'],
  ['1.29-alpine', '1.29.4', '1.29.4'],
  ['16', '18.1', '16.11'],
  ['latest', '18.1', '18.1'],
  ['v9', '2.0.1', '9.0.0'],
])('the version of %s, with %s the newest, is %s', (tag, latest, version) =>
  expect(versionOf(tag, latest)).toBe(version),
);
