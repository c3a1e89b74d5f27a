import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { makeTable, saveTable, walkHook, type Host } from '../../kernel/netfilter/index.js';
import { pod } from '../kubelet/testing.js';
import { HostPorts } from './host-ports.js';
import { portMappingsOf, portMapRules } from './port-map.js';

const withPorts = (...ports: NonNullable<Pod['spec']['containers'][number]['ports']>): Pod =>
  pod({ containers: [{ name: 'c', image: 'x', ports }] }, { podIP: '10.244.1.5' });
const web = withPorts({ containerPort: 80, hostPort: 8080 }, { containerPort: 53, hostPort: 53, protocol: 'UDP' });

test('the chains are printed as the plug-in writes them', () => {
  const lines = saveTable(makeTable('nat', portMapRules([web])))
    .split('\n')
    .filter((line) => line.startsWith('-A'))
    .map((line) => line.replace(/CNI-DN-[0-9a-f]{21}/g, 'CNI-DN-x').replace(/id: \\"[0-9a-f]{64}/, 'id: \\"x'));
  expect(lines).toEqual([
    '-A PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
    '-A OUTPUT -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
    '-A POSTROUTING -m comment --comment "CNI portfwd requiring masquerade" -j CNI-HOSTPORT-MASQ',
    '-A CNI-DN-x -s 10.244.1.0/24 -p tcp -m tcp --dport 8080 -j CNI-HOSTPORT-SETMARK',
    '-A CNI-DN-x -s 127.0.0.1/32 -p tcp -m tcp --dport 8080 -j CNI-HOSTPORT-SETMARK',
    '-A CNI-DN-x -p tcp -m tcp --dport 8080 -j DNAT --to-destination 10.244.1.5:80',
    '-A CNI-DN-x -s 10.244.1.0/24 -p udp -m udp --dport 53 -j CNI-HOSTPORT-SETMARK',
    '-A CNI-DN-x -s 127.0.0.1/32 -p udp -m udp --dport 53 -j CNI-HOSTPORT-SETMARK',
    '-A CNI-DN-x -p udp -m udp --dport 53 -j DNAT --to-destination 10.244.1.5:53',
    '-A CNI-HOSTPORT-DNAT -p tcp -m comment --comment "dnat name: \\"kindnet\\" id: \\"x\\"" -m multiport --dports 8080 -j CNI-DN-x',
    expect.stringMatching(/^-A CNI-HOSTPORT-DNAT -p udp .* -m multiport --dports 53 -j CNI-DN-x$/),
    '-A CNI-HOSTPORT-MASQ -m mark --mark 0x2000/0x2000 -j MASQUERADE',
    '-A CNI-HOSTPORT-SETMARK -m comment --comment "CNI portfwd masquerade mark" -j MARK --set-xmark 0x2000/0x2000',
  ]);
});

const host: Host = {
  isLocal: (address) => address === '172.18.0.2' || address === '172.18.0.9',
  random: () => 0,
  isRecent: () => false,
  masqueradeAs: () => '172.18.0.2',
};
const bound = withPorts({ containerPort: 80, hostPort: 80, hostIP: '172.18.0.9' });

test.each<[string, Pod, string, number, string, string]>([
  ['a port of the node', web, '172.18.0.2', 8080, '203.0.113.7', '10.244.1.5:80'],
  ['another port', web, '172.18.0.2', 8081, '203.0.113.7', '172.18.0.2:8081'],
  ['another host', web, '172.18.0.3', 8080, '203.0.113.7', '172.18.0.3:8080'],
  ['the address that it is about', bound, '172.18.0.9', 80, '203.0.113.7', '10.244.1.5:80'],
  ['another address of the node', bound, '172.18.0.2', 80, '203.0.113.7', '172.18.0.2:80'],
])('%s', (_name, of, destination, destinationPort, source, expected) => {
  const rules = { tables: [makeTable('nat', portMapRules([of]))] };
  const packet = {
    source,
    destination,
    destinationPort,
    sourcePort: 1,
    protocol: 'tcp',
    mark: 0,
    state: 'NEW',
  } as const;
  const { packet: after } = walkHook(rules, 'PREROUTING', packet, host);
  expect(`${after.destination}:${after.destinationPort}`).toBe(expected);
});

test('pods on the network of their node have its ports anyway', () => {
  expect(portMappingsOf({ ...web, spec: { ...web.spec, hostNetwork: true } })).toEqual([]);
});

test('follows the pods of a node', () => {
  const ports = new HostPorts();
  ports.onPod(undefined, web);
  const rules = ports.rulesOn('worker-1');
  expect(Object.keys(rules)).toHaveLength(7);
  expect(ports.rulesOn('worker-1')).toBe(rules);
  expect(ports.rulesOn('worker-2')).toEqual({});
  ports.onPod(web, { ...web, status: { ...web.status, phase: 'Succeeded' } });
  expect(ports.rulesOn('worker-1')).toEqual({});
});
