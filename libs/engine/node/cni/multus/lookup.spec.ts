import { expect, test } from '@jest/globals';
import { atAddress } from '../../../kinds/terrarium/podruntime/attached-keys.js';
import type { Reader } from '../../../machinery/client.js';
import type { Attachment } from './attachment.js';
import { findNeighbour } from './lookup.js';

const attachment = (own: Partial<Attachment>): Attachment => ({
  ...{ name: 'net1', network: 'default/a', plugin: 'macvlan', mode: 'bridge', node: 'worker-1', segment: 'eth0' },
  ...{ addresses: ['192.168.1.201/24'], mac: '', mtu: 1500, routes: [] },
  ...own,
});
const readerOf = (there: Attachment, phase = 'Running'): Reader =>
  ({
    byIndex: (_kind: unknown, _index: string, key: string) =>
      key === atAddress(there.segment, '192.168.1.201')
        ? [{ metadata: { name: 'p', namespace: 'n' }, uid: 'u', attachments: [there] }]
        : [],
    get: () => ({ metadata: { name: 'p', uid: 'u' }, status: { phase } }),
  }) as unknown as Reader;

test.each<[string, Partial<Attachment>, Partial<Attachment>, boolean]>([
  ['of one device', {}, {}, true],
  ['of another node', {}, { node: 'worker-2' }, true],
  ['of another VLAN', {}, { segment: 'eth0.5' }, false],
  ['of one device that keeps them apart', { mode: 'private' }, {}, false],
  ['of another node, whose device keeps its own apart', { mode: 'private' }, { node: 'worker-2' }, true],
  ['that finds no way back', {}, { addresses: ['192.168.1.201/32'] }, false],
])('an interface hears one %s: %#', (_case, from, to, isHeard) => {
  const own = attachment({ addresses: ['192.168.1.200/24'], ...from });
  expect(findNeighbour(readerOf(attachment(to)), own, '192.168.1.201') !== undefined).toBe(isHeard);
});

test('a pod that has ended answers nothing', () => {
  expect(findNeighbour(readerOf(attachment({}), 'Succeeded'), attachment({}), '192.168.1.201')).toBeUndefined();
});
