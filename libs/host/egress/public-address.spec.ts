import { expect, test } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['ff02::1', false],
])('%s is a public address: %s', (address, expected) => expect(isPublicAddress(address)).toBe(expected));
