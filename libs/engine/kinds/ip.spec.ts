import { describe, expect, test } from '@jest/globals';
import { Path } from '../machinery/meta/field.js';
import {
  getWarningsForCIDR,
  validateEndpointIP,
  getWarningsForIP,
  isValidCIDRForLegacyField,
  isValidIPForLegacyField,
} from './ip.js';

const at = Path.of('ip');
const bodies = (errors: readonly { body: string }[]): string =>
  errors.map((e) => e.body.replace(/^.*?": /, '')).join('; ');

describe('addresses', () => {
  test.each([
    ['10.0.0.1', ''],
    ['fd00::1', ''],
    ['a', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ['10.0.0.01', 'must not have leading 0s'],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
  ])('%s: %s', (ip, message) => expect(bodies(isValidIPForLegacyField(at, ip))).toBe(message));
  test('what was there before stays', () =>
    expect(isValidIPForLegacyField(at, '010.0.0.1', ['010.0.0.1'])).toEqual([]));

  test.each([
    ['10.0.0.0/8', ''],
    ['fd00::/8', ''],
    ['10.1.0.0/8', 'must not have bits set beyond the prefix length'],
    ['fd00::1/64', 'must not have bits set beyond the prefix length'],
    ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
    ['::ffff:10.0.0.0/104', 'must not have an IPv4-mapped IPv6 address'],
    ['10.0.0.0', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ])('%s: %s', (range, message) => expect(bodies(isValidCIDRForLegacyField(at, range))).toBe(message));

  test.each([
    ['10.0.0.1', ''],
    ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
    ['::1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['169.254.1.1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['ff02::5', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ])('an endpoint at %s: %s', (ip, message) => expect(bodies(validateEndpointIP(at, ip))).toBe(message));

  test.each([
    ['fd00::1', undefined],
    ['FD00::1', 'fd00::1'],
    ['fd00:0:0:0:1:0:0:1', 'fd00::1:0:0:1'],
    ['1:0:2:3:4:5:6:7', undefined],
  ])('%s is better written %s', (ip, canonical) => {
    expect(getWarningsForIP(at, ip)).toEqual(
      canonical ? [`ip: IPv6 address "${ip}" should be in RFC 5952 canonical format ("${canonical}")`] : [],
    );
    expect(getWarningsForCIDR(at, `${ip}/128`)).toHaveLength(canonical ? 1 : 0);
  });
});
