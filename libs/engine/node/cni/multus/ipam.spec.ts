import { expect, test } from '@jest/globals';
import { inPool } from '../../../kinds/terrarium/podruntime/attached-keys.js';
import type { Reader } from '../../../machinery/client.js';
import type { Attachment } from './attachment.js';
import { giveAddresses } from './ipam.js';

/** A cluster in which other pods have these addresses of a pool. */
const readerOf = (pool: string, addresses: readonly string[]): Reader =>
  ({
    byIndex: (_kind: unknown, _index: string, key: string) =>
      key === inPool(pool)
        ? [{ metadata: { name: 'p', namespace: 'n' }, uid: 'u', attachments: [{ pool, addresses } as Attachment] }]
        : [],
    get: () => ({ metadata: { uid: 'u' }, status: {} }),
  }) as unknown as Reader;

const LOCAL = { type: 'host-local', subnet: '192.168.1.0/24', rangeStart: '192.168.1.200', rangeEnd: '192.168.1.202' };
const ask = (ipam: Record<string, unknown>, used: readonly string[] = [], ips: readonly string[] = []): unknown => {
  const pool = ipam['type'] === 'whereabouts' ? 'whereabouts 192.168.2.0/29' : 'worker-1 net';
  const given = giveAddresses({ read: readerOf(pool, used), node: 'worker-1', network: 'net', ipam, ips, given: [] });
  return 'error' in given ? given.error : given.addresses.join(' ');
};

test.each<[string, Record<string, unknown>, string[], string[], string]>([
  ['the first', LOCAL, [], [], '192.168.1.200/24'],
  ['the next', LOCAL, ['192.168.1.200/24'], [], '192.168.1.201/24'],
  ['the lowest that is free', LOCAL, ['192.168.1.202/24', '192.168.1.200/24'], [], '192.168.1.201/24'],
  ['the one that is asked for', LOCAL, [], ['192.168.1.202'], '192.168.1.202/24'],
  [
    'none',
    LOCAL,
    ['192.168.1.200/24', '192.168.1.201/24', '192.168.1.202/24'],
    [],
    'failed to allocate for range 0: no IP addresses available in range set: 192.168.1.200-192.168.1.202',
  ],
  [
    'one that another has',
    LOCAL,
    ['192.168.1.201/24'],
    ['192.168.1.201'],
    'failed to allocate for range 0: requested IP address 192.168.1.201 is not available in range set ' +
      '192.168.1.200-192.168.1.202',
  ],
  ['one of elsewhere', LOCAL, [], ['10.9.9.9'], 'failed to allocate all requested IPs: 10.9.9.9'],
  ['no range', { type: 'host-local' }, [], [], 'no IP ranges specified'],
  [
    'one of each range set',
    { type: 'host-local', ranges: [[{ subnet: '10.1.0.0/16' }], [{ subnet: '10.2.0.0/24' }]] },
    [],
    [],
    '10.1.0.2/16 10.2.0.2/24',
  ],
  ['a static one', { type: 'static', addresses: [{ address: '10.1.1.5/24' }] }, [], [], '10.1.1.5/24'],
  ['a static one that is asked for', { type: 'static' }, [], ['10.1.1.21/24'], '10.1.1.21/24'],
  ['no static one', { type: 'static' }, [], [], 'IPAM plugin returned missing IP config'],
  [
    'one of all nodes',
    { type: 'whereabouts', range: '192.168.2.0/29', exclude: ['192.168.2.1/32'] },
    ['192.168.2.2/29'],
    [],
    '192.168.2.3/29',
  ],
])('IPAM gives %s', (_case, ipam, used, ips, expected) => {
  expect(ask(ipam, used, ips)).toBe(expected);
});
