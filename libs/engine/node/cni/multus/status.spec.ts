import { expect, test } from '@jest/globals';
import type { Attachment } from './attachment.js';
import { formatStatus } from './status.js';

const first = { addresses: ['10.244.1.5/24'], mac: '0a:58:0a:f4:01:05', mtu: 1500, network: 'net' };
const net1: Attachment = {
  ...{ name: 'net1', network: 'default/a', plugin: 'macvlan', node: 'worker-1', segment: 'eth0' },
  ...{ addresses: ['192.168.1.200/24'], mac: 'c2:00:00:00:00:01', mtu: 1500, routes: [] },
};
const read = (text: string): unknown => JSON.parse(text);

test.each([
  ['ptp', { name: 'net', interface: 'eth0', mac: first.mac, gateway: ['<nil>'] }],
  ['flannel', { name: 'net', interface: 'eth0', mac: first.mac, gateway: ['10.244.1.1'] }],
  ['calico', { name: 'net' }],
])('the first network is shown as %s tells of it', (plugin, expected) => {
  const text = formatStatus({ ...first, plugin, gateway: '10.244.1.1' }, []);
  expect(read(text)).toEqual([{ ...expected, ips: ['10.244.1.5'], default: true, dns: {} }]);
});

test('the others follow, as Go prints them', () => {
  const text = formatStatus({ ...first, plugin: 'calico' }, [net1]);
  expect(text.slice(0, 30)).toBe('[{\n    "name": "net",\n    "ips');
  expect((read(text) as unknown[])[1]).toEqual({
    ...{ name: 'default/a', interface: 'net1', ips: ['192.168.1.200'], mac: 'c2:00:00:00:00:01', dns: {} },
  });
});
