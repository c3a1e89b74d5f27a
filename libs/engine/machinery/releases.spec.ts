import { expect, test } from '@jest/globals';
import { DEFAULT_VERSION, parseVersion, releaseOf, RELEASES } from './releases.js';

test.each([
  ['1.36.4', 'v1.36.4'],
  ['v1.36.4', 'v1.36.4'],
  ['1.36.2', undefined],
  ['1.36', undefined],
  ['1.35.0', undefined],
  ['vv1.36.4', undefined],
  ['', undefined],
])('the version %j is %s', (text, version) => expect(parseVersion(text)).toBe(version));

test('a release has a commit, a date and a version of Go', () => {
  for (const release of RELEASES)
    expect([release.gitVersion, release.gitCommit, release.buildDate, release.goVersion]).toEqual([
      expect.stringMatching(/^v1\.36\.\d+$/),
      expect.stringMatching(/^[0-9a-f]{40}$/),
      expect.stringMatching(/^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      expect.stringMatching(/^go1\.26\.\d+$/),
    ]);
  expect(releaseOf(DEFAULT_VERSION).gitVersion).toBe(DEFAULT_VERSION);
});
