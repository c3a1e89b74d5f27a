import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { addInterface } from './add-interface.js';
import type { Attachment } from './attachment.js';

const read = { byIndex: () => [] } as unknown as Reader;
const node: Node = {
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' }, spec: {} },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.3' }] },
};
const pod = { metadata: { name: 'p', namespace: 'n', uid: 'u' }, spec: {}, status: {} } as unknown as Pod;
const binaries = ['macvlan', 'ipvlan', 'vlan', 'bridge', 'ptp', 'host-device', 'host-local', 'tuning', 'dhcp'];
const ipam = { type: 'host-local', subnet: '10.1.0.0/24' };

const add = (plugins: readonly Record<string, unknown>[], others: readonly Attachment[] = []) =>
  addInterface({
    ...{ read, pod, node, name: 'net1', binaries, given: [], others },
    delegate: { name: 'net', isList: plugins.length > 1, plugins },
    selection: { name: 'a', namespace: 'n' },
  });

test.each<[string, Record<string, unknown>, unknown]>([
  ['macvlan', { type: 'macvlan', ipam }, { segment: 'eth0', mode: 'bridge', addresses: ['10.1.0.2/24'] }],
  ['macvlan without addresses', { type: 'macvlan' }, { segment: 'eth0', addresses: [] }],
  ['ipvlan', { type: 'ipvlan', master: 'eth0', ipam }, { segment: 'eth0', mac: '02:42:ac:12:00:03' }],
  ['vlan', { type: 'vlan', master: 'eth0', vlanId: 5, ipam }, { segment: 'eth0.5' }],
  ['bridge', { type: 'bridge', bridge: 'br1', ipam }, { segment: 'worker-1 bridge br1 0', routes: [] }],
  [
    'bridge that is a gateway',
    { type: 'bridge', isDefaultGateway: true, ipam },
    { hostAddress: '10.1.0.1', routes: [{ destination: '0.0.0.0/0', gateway: '10.1.0.1' }] },
  ],
  ['ptp', { type: 'ptp', ipam }, { segment: 'worker-1 ptp', hostAddress: '10.1.0.1' }],
])('%s makes an interface', (_case, config, expected) => {
  expect(add([config])).toMatchObject(expected as object);
});

test('tuning sets what frames are like', () => {
  const made = add([
    { type: 'macvlan', ipam },
    { type: 'tuning', mac: 'c2:00:00:00:00:01', mtu: 1400 },
  ]);
  expect(made).toMatchObject({ mac: 'c2:00:00:00:00:01', mtu: 1400 });
});

test.each<[Record<string, unknown>, string]>([
  [{ type: 'sriov' }, 'failed to find plugin "sriov" in path [/opt/cni/bin /opt/cni/bin]'],
  [{ type: 'macvlan', master: 'ens5', ipam }, 'Link not found'],
  [{ type: 'ipvlan', master: 'ens5', ipam }, 'failed to lookup master "ens5": Link not found'],
  [{ type: 'macvlan', mode: 'x', ipam }, 'unknown macvlan mode: "x"'],
  [{ type: 'macvlan', mtu: 9000, ipam }, 'invalid MTU 9000, must be [0, master MTU(1500)]'],
  [{ type: 'host-device', device: 'eth1', ipam }, 'failed to find host device: Link not found'],
  [
    { type: 'macvlan', ipam: { type: 'whereabouts' } },
    'failed to find plugin "whereabouts" in path [/opt/cni/bin /opt/cni/bin]',
  ],
  [{ type: 'vlan', master: 'eth0', vlanId: 5 }, 'no plugin name provided'],
  [{ type: 'tuning' }, 'must be called as chained plugin'],
])('%j fails', (config, error) => {
  expect(add([config])).toEqual({ error });
});

test('a device has a VLAN once, and macvlan or ipvlan', () => {
  const made = (plugin: string, segment: string): Attachment => ({ plugin, segment }) as Attachment;
  const vlan = { type: 'vlan', master: 'eth0', vlanId: 5, ipam };
  expect(add([vlan], [made('vlan', 'eth0.5')])).toEqual({ error: 'failed to create vlan: file exists' });
  expect(add([{ type: 'ipvlan', ipam }], [made('macvlan', 'eth0')])).toEqual({
    error: 'failed to create ipvlan: device or resource busy',
  });
});
