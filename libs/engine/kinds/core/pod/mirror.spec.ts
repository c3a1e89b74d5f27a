import { expect, test } from '@jest/globals';
import { isMirrorPod, MIRROR_ANNOTATION } from './mirror.js';

test.each([
  [{ [MIRROR_ANNOTATION]: 'a hash' }, true],
  [{ [MIRROR_ANNOTATION]: '' }, true],
  [{ 'kubernetes.io/config.hash': 'a hash' }, false],
  [undefined, false],
])('with the annotations %j: %j', (annotations, expected) =>
  expect(isMirrorPod({ metadata: { annotations } })).toBe(expected),
);
