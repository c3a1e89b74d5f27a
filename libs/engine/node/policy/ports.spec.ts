import { expect, test } from '@jest/globals';
import type { NetworkPolicyPort } from '../../api/networking_v1.js';
import { matchesPorts } from './ports.js';
import { podAt } from './testing.js';
import type { Protocol } from './packet.js';

const server = podAt('shop/web', '10.244.1.2');

const cases: readonly [NetworkPolicyPort[] | undefined, number, Protocol, boolean][] = [
  [undefined, 80, 'TCP', true],
  [[], 80, 'SCTP', true],
  [[{ protocol: 'TCP' }], 12_345, 'TCP', true],
  [[{ protocol: 'TCP' }], 80, 'UDP', false],
  [[{ protocol: 'TCP', port: 80 }], 80, 'TCP', true],
  [[{ protocol: 'TCP', port: 80 }], 81, 'TCP', false],
  [[{ protocol: 'UDP', port: 80 }], 80, 'TCP', false],
  [[{ protocol: 'TCP', port: 80, endPort: 90 }], 90, 'TCP', true],
  [[{ protocol: 'TCP', port: 80, endPort: 90 }], 79, 'TCP', false],
  [[{ protocol: 'TCP', port: 80, endPort: 90 }], 91, 'TCP', false],
  [[{ protocol: 'TCP', port: 'serve-80-tcp' }], 80, 'TCP', true],
  [[{ protocol: 'TCP', port: 'serve-80-tcp' }], 81, 'TCP', false],
  [[{ protocol: 'TCP', port: 'serve-80-udp' }], 80, 'TCP', false],
  [[{ protocol: 'UDP', port: 'serve-80-udp' }], 80, 'UDP', true],
  [[{ protocol: 'TCP', port: 'nobody' }], 80, 'TCP', false],
  [
    [
      { protocol: 'TCP', port: 443 },
      { protocol: 'TCP', port: 80 },
    ],
    80,
    'TCP',
    true,
  ],
];

test.each(cases)('%j: port %i of %s: %s', (ports, port, protocol, expected) => {
  expect(matchesPorts(ports, server, port, protocol)).toBe(expected);
});

test('what is no pod has no named ports', () => {
  expect(matchesPorts([{ protocol: 'TCP', port: 'serve-80-tcp' }], undefined, 80, 'TCP')).toBe(false);
});
