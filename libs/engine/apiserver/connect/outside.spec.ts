import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { readerOf } from '../../node/kubelet/testing.js';
import { findTarget } from './outside.js';

const ingress = (name: string, host: string, ip: string | undefined): KubeObject =>
  ({
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, namespace: 'shop' } },
    spec: { rules: [{ host }] },
    status: { loadBalancer: ip === undefined ? {} : { ingress: [{ ip }] } },
  }) as never;
const read = readerOf(
  {
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } },
    ...{ spec: {}, status: { addresses: [{ type: 'InternalIP', address: '172.18.0.3' }] } },
  } as never,
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'door', namespace: 'shop' } },
    spec: { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'], ports: [{ port: 80, nodePort: 30_080 }] },
  } as never,
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'lb', namespace: 'shop' } },
    spec: { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'], ports: [{ port: 80, nodePort: 30_081 }] },
    status: { loadBalancer: { ingress: [{ ip: '172.18.255.200' }] } },
  } as never,
  ingress('balanced', 'a.test', '172.18.255.200'),
  ingress('by-port', 'b.test', '10.96.0.7'),
  ingress('wild', '*.c.test', '172.18.255.201'),
  ingress('waiting', 'd.test', undefined),
);

test.each([
  ['30080', '172.18.0.3:30080 as 172.18.0.3:30080'],
  ['172.18.255.200', '172.18.0.3:30081 as 172.18.255.200'],
  ['172.18.0.3:31000', '172.18.0.3:31000 as 172.18.0.3:31000'],
  ['a.test', '172.18.0.3:30081 as a.test'],
  ['A.test', '172.18.0.3:30081 as A.test'],
  ['b.test', '172.18.0.3:30080 as b.test'],
  ['x.c.test', '172.18.255.201:80 as x.c.test'],
  ['d.test', 'nothing'],
  ['e.test', 'nothing'],
  ['0', 'nothing'],
  ['a.test:99999', 'nothing'],
  ['', 'nothing'],
])('%j from outside is %s', (where, expected) => {
  const found = findTarget(read, where);
  expect(found ? `${found.address}:${found.port} as ${found.host}` : 'nothing').toBe(expected);
});
