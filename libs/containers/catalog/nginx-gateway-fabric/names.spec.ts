import { expect, test } from '@jest/globals';
import { resourceName } from './names.js';

test.each([
  ['gateway', 'nginx', 'gateway-nginx'],
  ['a'.repeat(57), 'nginx', `${'a'.repeat(57)}-nginx`],
  ['a'.repeat(58), 'nginx', `${'a'.repeat(48)}-78c8f6e6-nginx`],
])('%s of %s', (name, suffix, expected) => {
  const found = resourceName(name, suffix);
  expect(found.length).toBeLessThanOrEqual(63);
  expect(found.replace(/-[0-9a-f]{8}-/, '-HASH-')).toBe(expected.replace(/-[0-9a-f]{8}-/, '-HASH-'));
});
