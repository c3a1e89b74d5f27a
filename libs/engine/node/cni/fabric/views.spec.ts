import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { neighboursOf, nodeInterfacesOf, nodeRoutesOf, podInterfacesOf, podRoutesOf } from './views.js';

const node: Node = {
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: { name: 'worker-1', annotations: { 'projectcalico.org/IPv4Address': '172.18.0.3/16' } },
  ...{ spec: { podCIDR: '10.244.1.0/24' } },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.3' }] },
};
const pod: Pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default', uid: 'u' } },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { podIP: '10.244.1.7' },
};
const viewOf = (plugin: string) => ({
  read: { get: () => ({ network: { plugin } }), list: () => [], byIndex: () => [] } as unknown as Reader,
  ...{ node, pods: [pod], nodes: [node] },
});

test("kindnet's network is shown elsewhere", () => {
  const view = viewOf('ptp');
  expect(podInterfacesOf(view.read, pod)).toBeUndefined();
  expect(podRoutesOf(view.read, pod)).toBeUndefined();
  expect(nodeInterfacesOf(view)).toBeUndefined();
  expect(nodeRoutesOf(view)).toBeUndefined();
  expect(neighboursOf(view)).toEqual([]);
});

test('of another network a node shows its own device first, and its routes between', () => {
  const view = viewOf('calico');
  expect(nodeInterfacesOf(view)?.map(({ name, index }) => `${index} ${name}`)).toEqual([
    ...['1 lo', '2 eth0', '3 cali68caf03a5f4'],
  ]);
  expect(nodeRoutesOf(view)?.map(({ destination, device }) => `${destination} ${device}`)).toEqual([
    ...['default eth0', '10.244.1.7 cali68caf03a5f4', '172.18.0.0/16 eth0'],
  ]);
  expect(podInterfacesOf(view.read, pod)?.map(({ name }) => name)).toEqual(['lo', 'eth0']);
  expect(podRoutesOf(view.read, pod)?.[0]).toMatchObject({ destination: 'default', gateway: '169.254.1.1' });
});
