import { expect, test } from '@jest/globals';
import { secondHostFor } from './second-family.js';

test.each([
  ['172.18.0.2', 'fc00:f853:ccd:e793::2'],
  ['172.18.255.200', 'fc00:f853:ccd:e793::ffc8'],
])('beside %s a host has %s', (ip, expected) => expect(secondHostFor(ip)).toBe(expected));
