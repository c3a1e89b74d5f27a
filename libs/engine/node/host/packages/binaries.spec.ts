import { expect, test } from '@jest/globals';
import { RELEASES } from '../../../machinery/releases.js';
import { binarySize } from './binaries.js';
import { RELEASE_PACKAGES } from './packages.js';

test('no two binaries of the releases have the same size', () => {
  const sizes = RELEASES.flatMap(({ gitVersion }) => RELEASE_PACKAGES.map((name) => binarySize(name, gitVersion)));
  expect(new Set(sizes).size).toBe(RELEASES.length * RELEASE_PACKAGES.length);
  expect(Math.max(...sizes)).toBeLessThan(80 * 1024 * 1024);
  expect(binarySize('kubelet', 'v1.36.3')).toBe(binarySize('kubelet', 'v1.36.3'));
});
