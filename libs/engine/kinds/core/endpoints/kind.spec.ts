import { expect, test } from '@jest/globals';
import { AGE, create, row } from '../../testing.js';
import { kind } from './kind.js';

test('a port is TCP', () =>
  expect(create(kind, { subsets: [{ ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }] }).subsets).toEqual([
    {
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
    },
  ]));

test.each<[string, unknown, string]>([
  ['none', undefined, '<none>'],
  ['no ready ones', [{ notReadyAddresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }], ''],
  ['addresses without ports', [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }], '10.0.0.1,10.0.0.2'],
  ['an IPv6 address', [{ addresses: [{ ip: 'fd00::1' }], ports: [{ port: 80 }] }], '[fd00::1]:80'],
  [
    'more than three',
    [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 80 }, { port: 81 }] }],
    '10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 1 more...',
  ],
])('a row of %s', (_, subsets, Endpoints) =>
  expect(row(kind, create(kind, { subsets }))).toEqual({ Name: 'a', Endpoints, Age: AGE }),
);

test('it is on its way out', () =>
  expect(kind.deprecation).toBe('v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'));
