import { expect, test } from '@jest/globals';
import { evaluate } from '../testing.js';

test.each<[string, unknown]>([
  ['string(ip("2001:DB8::68"))', '2001:db8::68'],
  ['ip("192.168.0.1").family() + ip("::1").family()', 10],
  ['ip.isCanonical("2001:db8::abcd") && !ip.isCanonical("2001:DB8::ABCD")', true],
  ['isIP("::ffff:1.2.3.4") || isIP("010.0.0.1") || isIP("fe80::1%eth0")', false],
  ['ip("0.0.0.0").isUnspecified() && ip("127.0.0.1").isLoopback()', true],
  ['ip("224.0.0.1").isLinkLocalMulticast() && ip("169.254.1.1").isLinkLocalUnicast()', true],
  ['ip("10.0.0.1").isGlobalUnicast() && !ip("255.255.255.255").isGlobalUnicast()', true],
  ['cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsIP(ip("11.0.0.1"))', true],
  ['cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.1.0.0/16").containsCIDR(cidr("10.0.0.0/8"))', true],
  ['string(cidr("10.1.2.3/8").masked())', '10.0.0.0/8'],
  ['string(cidr("10.1.2.3/8").ip())', '10.1.2.3'],
  ['cidr("10.0.0.0/8").prefixLength()', 8],
  ['isCIDR("10.0.0.0/33") || isCIDR("10.0.0.0")', false],
  ['isCIDR("::/0")', true],
  ['type(ip("::1")) == net.IP && type(cidr("::/0")) == net.CIDR', true],
])('%s is %s', (text, outcome) => expect(evaluate(text)).toEqual(outcome));
