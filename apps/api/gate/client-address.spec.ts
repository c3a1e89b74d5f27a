import { expect, it, test } from '@jest/globals';
import { trustProxies } from './client-address.js';

test.each([
  { proxies: [], connected: '10.0.0.1', forwarded: '203.0.113.7', address: '10.0.0.1' },
  { proxies: ['10.0.0.0/8'], connected: '10.0.0.1', forwarded: undefined, address: '10.0.0.1' },
  { proxies: ['10.0.0.0/8'], connected: '10.0.0.1', forwarded: '203.0.113.7', address: '203.0.113.7' },
  { proxies: ['loopback'], connected: '::ffff:127.0.0.1', forwarded: '2001:db8::1', address: '2001:db8::1' },
  { proxies: ['10.0.0.0/8'], connected: '198.51.100.9', forwarded: '203.0.113.7', address: '198.51.100.9' },
  { proxies: ['10.0.0.0/8'], connected: '10.0.0.1', forwarded: '1.2.3.4, 203.0.113.7', address: '203.0.113.7' },
  { proxies: ['10.0.0.0/8'], connected: '10.0.0.1', forwarded: '203.0.113.7, 10.2.2.2', address: '203.0.113.7' },
])('$connected for $forwarded, trusting $proxies: $address', ({ proxies, connected, forwarded, address }) => {
  expect(trustProxies(proxies)({ 'x-forwarded-for': forwarded }, connected)).toBe(address);
});

it('throws for what is no address', () => {
  expect(() => trustProxies(['the proxy'])).toThrow('invalid IP address: the proxy');
});
