import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../testing/run-line.js';
import { ip } from './ip.js';
import { bridge } from './bridge.js';

const LINK = { mac: '0e:58:0a:f4:01:02', mtu: 1_450, isUp: true, addresses: [] };
/** A node of Flannel with one pod. */
const network: Network = {
  ...NO_NETWORK,
  interfaces: () => [
    ...NO_NETWORK.interfaces(),
    { ...LINK, name: 'flannel.1', index: 3, kind: 'vxlan', detail: 'vxlan id 1', addresses: ['10.244.1.0/32'] },
    { ...LINK, name: 'veth1', index: 4, master: 'cni0' },
  ],
  routes: () => [
    { destination: '10.244.2.0/24', gateway: '10.244.2.0', device: 'flannel.1', flags: ['onlink'] },
    { destination: '10.244.1.64/26', device: '', type: 'blackhole', flags: ['proto', 'bird'] },
    { destination: '10.244.1.65', device: 'cali1', scope: 'link' },
  ],
  neighbours: () => [{ address: '10.244.2.0', mac: 'ae:cf:2a:6f:e2:ab', device: 'flannel.1', remote: '172.18.0.4' }],
};
const TOOLS = { bridge, ip };
const UP = '<BROADCAST,MULTICAST,UP,LOWER_UP>';

test.each([
  ['bridge fdb show dev flannel.1', 'ae:cf:2a:6f:e2:ab dst 172.18.0.4 self permanent\n'],
  ['bridge fdb', 'ae:cf:2a:6f:e2:ab dev flannel.1 dst 172.18.0.4 self permanent\n'],
  ['bridge fdb show dev eth0', ''],
  ['bridge link', `4: veth1@if12: ${UP} mtu 1450 master cni0 state forwarding priority 32 cost 2 \n`],
  ['bridge vlan', ''],
  ['ip neigh show dev flannel.1', '10.244.2.0 dev flannel.1 lladdr ae:cf:2a:6f:e2:ab PERMANENT \n'],
  ['ip neigh show dev eth0', ''],
  [
    'ip route',
    '10.244.2.0/24 via 10.244.2.0 dev flannel.1 onlink \nblackhole 10.244.1.64/26 proto bird \n' +
      '10.244.1.65 dev cali1 scope link \n',
  ],
  [
    'ip -d link show flannel.1',
    `3: flannel.1: ${UP} mtu 1450 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000\n` +
      '    link/ether 0e:58:0a:f4:01:02 brd ff:ff:ff:ff:ff:ff\n    vxlan id 1\n',
  ],
])('%s', (line, stdout) => {
  expect(runLine(TOOLS, line, {}, {}, { network }).stdout).toBe(stdout);
});

test.each([
  ['bridge foo', 'Object "foo" is unknown, try "bridge help".\n', 255],
  ['bridge fdb add x', 'RTNETLINK answers: Operation not permitted\n', 2],
])('%s fails', (line, stderr, code) => {
  expect(runLine(TOOLS, line, {}, {}, { network })).toEqual({ stdout: '', stderr, code });
});
