import { expect, test } from '@jest/globals';
import { CP, diskOf } from '../testing.js';
import { formatPackages, installedPackages, installedRelease, parsePackages, repositoryOf } from './packages.js';

test('what dpkg has written is read again', () => {
  const packages = installedPackages('v1.36.1');
  expect(parsePackages(formatPackages(packages))).toEqual(packages);
});

test.each(['', 'nonsense', 'Package: x'])('what somebody has made of the file is taken as far as it goes: %j', (text) =>
  expect(parsePackages(text)).toEqual([]),
);

test('a node has the packages of its release, and their repository', () => {
  expect(installedRelease(diskOf(CP), 'kubelet')).toBe('v1.36.3');
  expect(installedRelease(diskOf(CP), 'nginx')).toBeUndefined();
  expect(repositoryOf(diskOf(CP))).toBe('v1.36');
});
