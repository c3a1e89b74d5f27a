import { expect, test } from '@jest/globals';
import { isInBlock, parseIPBlock } from './ip-blocks.js';

test.each([
  ['10.244.0.0/16', [], '10.244.1.5', true],
  ['10.244.0.0/16', [], '10.245.0.0', false],
  ['10.244.0.0/16', ['10.244.1.0/24'], '10.244.1.255', false],
  ['10.244.0.0/16', ['10.244.1.0/24'], '10.244.2.0', true],
  ['10.244.1.5/32', [], '10.244.1.5', true],
  ['0.0.0.0/0', ['10.0.0.0/8', '192.168.0.0/16'], '192.168.3.4', false],
  ['0.0.0.0/0', [], '2001:db8::1', false],
  ['2001:db8::/64', ['2001:db8::1/128'], '2001:db8::2', true],
  ['0.0.0.0/0', [], '', false],
] as const)('%s without %j: %s %s', (cidr, except, ip, expected) => {
  expect(isInBlock(parseIPBlock(cidr, except)!, ip)).toBe(expected);
});

test('what is no CIDR is no block', () => {
  expect(parseIPBlock('10.244.1.5')).toBeUndefined();
});
