import { describe, expect, test } from '@jest/globals';
import type { Container, Pod } from '../../../api/core_v1.js';
import { hostPorts, isHostPortInUse } from './host-ports.js';
import { makePod } from './testing.js';

const exposing = (...ports: object[]): Container => ({ name: 'c', ports: ports as Container['ports'] });

describe('host ports', () => {
  test.each<[string, Partial<Pod['spec']>, string[]]>([
    ['none', { containers: [exposing({ containerPort: 80 })] }, []],
    ['one at all addresses', { containers: [exposing({ containerPort: 80, hostPort: 8080 })] }, ['TCP/0.0.0.0/8080']],
    [
      'one of a protocol at an address',
      { containers: [exposing({ containerPort: 53, hostPort: 53, protocol: 'UDP', hostIP: '10.0.0.1' })] },
      ['UDP/10.0.0.1/53'],
    ],
    [
      'those of sidecars, not of other init containers',
      {
        containers: [exposing({ hostPort: 1 })],
        initContainers: [{ ...exposing({ hostPort: 2 }), restartPolicy: 'Always' }, exposing({ hostPort: 3 })],
      },
      ['TCP/0.0.0.0/1', 'TCP/0.0.0.0/2'],
    ],
  ])('%s', (_, spec, ports) => expect(hostPorts(makePod(spec))).toEqual(ports));
});

test.each([
  ['TCP/0.0.0.0/80', 'TCP/0.0.0.0/80', true],
  ['TCP/0.0.0.0/80', 'TCP/10.0.0.1/80', true],
  ['TCP/10.0.0.1/80', 'TCP/0.0.0.0/80', true],
  ['TCP/10.0.0.1/80', 'TCP/10.0.0.1/80', true],
  ['TCP/10.0.0.1/80', 'TCP/10.0.0.2/80', false],
  ['TCP/0.0.0.0/80', 'UDP/0.0.0.0/80', false],
  ['TCP/0.0.0.0/80', 'TCP/0.0.0.0/8080', false],
])('%s beside %s: in use %s', (port, other, expected) =>
  expect(isHostPortInUse(port, new Set([other]))).toBe(expected),
);
