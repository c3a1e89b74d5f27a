import { expect, test } from '@jest/globals';
import { resolveSubPath } from './sub-path.js';

const env = { POD_NAME: 'web', ROOT: '/tmp', UP: '..', EMPTY: '' };
const resolve = (mount: { subPath?: string; subPathExpr?: string }): string =>
  resolveSubPath({ name: 'v', mountPath: '/v', ...mount }, () => env);

test.each([
  [{}, ''],
  [{ subPath: 'a/b' }, 'a/b'],
  [{ subPath: '$(POD_NAME)' }, '$(POD_NAME)'],
  [{ subPathExpr: 'logs/$(POD_NAME)' }, 'logs/web'],
  [{ subPathExpr: '$$(POD_NAME)' }, '$(POD_NAME)'],
])('%j is %j', (mount, expected) => {
  expect(resolve(mount)).toBe(expected);
});

test.each([
  ['$(ROOT)', 'error SubPath `/tmp` must not be an absolute path'],
  ['$(UP)', "unable to provision SubPath `..`: must not contain '..'"],
  ['a/$(UP)/b', "unable to provision SubPath `a/../b`: must not contain '..'"],
  ['$(NONE)/$(EMPTY)/$(ABSENT)', 'missing value for ABSENT, EMPTY, NONE'],
])('%s fails: %s', (subPathExpr, message) => {
  expect(() => resolve({ subPathExpr })).toThrow(message);
});
