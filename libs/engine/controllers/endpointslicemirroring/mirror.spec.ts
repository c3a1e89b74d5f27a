import { expect, test } from '@jest/globals';
import type { EndpointSubset } from '../../api/core_v1.js';
import { idOf, mirrorSubsets } from './mirror.js';

const HTTP = { name: 'http', port: 80, protocol: 'TCP' };
const mirror = (subsets?: EndpointSubset[]): string[] =>
  mirrorSubsets({ apiVersion: 'v1', kind: 'Endpoints', metadata: {}, ...(subsets ? { subsets } : {}) }).map(
    ({ addressType, ports, endpoints }) =>
      `${addressType} ${ports.map(({ name, port }) => `${name}:${port}`).join(',')} ` +
      endpoints
        .map(({ addresses, conditions }) => `${addresses[0]}${conditions?.ready ? '' : ' not ready'}`)
        .join(', '),
  );

test.each<[string, EndpointSubset[] | undefined, string[]]>([
  ['nothing', undefined, []],
  ['addresses', [{ addresses: [{ ip: '10.1.2.3' }], ports: [HTTP] }], ['IPv4 http:80 10.1.2.3']],
  [
    'both families',
    [{ addresses: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }], ports: [{ port: 80 }] }],
    ['IPv4 :80 10.1.2.3', 'IPv6 :80 fd00::1'],
  ],
  [
    'two subsets with the same ports',
    [
      { addresses: [{ ip: '10.1.2.3' }], ports: [HTTP] },
      { notReadyAddresses: [{ ip: '10.1.2.4' }], ports: [HTTP] },
    ],
    ['IPv4 http:80 10.1.2.3, 10.1.2.4 not ready'],
  ],
])('%s', (_case, subsets, expected) => {
  expect(mirror(subsets)).toEqual(expected);
});

test('a slice is known by its family and its ports', () => {
  expect(idOf({ addressType: 'IPv4' })).toBe(idOf({ addressType: 'IPv4', ports: [] }));
  expect(idOf({ addressType: 'IPv4', ports: [HTTP] })).not.toBe(idOf({ addressType: 'IPv6', ports: [HTTP] }));
});

test('of a subset no more than 1000 addresses', () => {
  const addresses = Array.from({ length: 1_002 }, (_, i) => ({ ip: `10.1.${Math.floor(i / 250)}.${i % 250}` }));
  const [slice] = mirrorSubsets({ apiVersion: 'v1', kind: 'Endpoints', metadata: {}, subsets: [{ addresses }] });
  expect(slice?.endpoints).toHaveLength(1_000);
});
