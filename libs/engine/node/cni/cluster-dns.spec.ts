import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { NOW, readerOf, STAMP } from '../kubelet/testing.js';
import { resolveName } from './cluster-dns.js';

const service = (name: string, spec: object, createdAt = STAMP): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop', creationTimestamp: createdAt },
    spec,
  }) as never;
const slice = (name: string, endpoints: object[]): KubeObject =>
  ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    endpoints,
  }) as never;
const read = readerOf(
  service('web', { clusterIP: '10.96.1.1', clusterIPs: ['10.96.1.1', 'fd00::1'], ports: [{ name: 'http', port: 80 }] }),
  service('db', { clusterIP: 'None', ports: [{ name: 'sql', port: 5432 }] }),
  service('empty', { clusterIP: 'None' }),
  service('late', { clusterIP: '10.96.1.2' }, '2026-01-01T12:05:00Z'),
  service('outside', { type: 'ExternalName', externalName: 'db.example.com' }),
  slice('db', [
    { addresses: ['10.244.1.5'], hostname: 'db-0', conditions: { ready: true } },
    { addresses: ['10.244.1.6'], conditions: { ready: true } },
    { addresses: ['10.244.1.7'], hostname: 'db-2', conditions: { ready: false } },
  ]),
);
const ask = (name: string, type = 'A'): string => {
  const { code, records } = resolveName(read, name, type, NOW);
  return [code, ...records.map((r) => `${r.type} ${r.data}`)].join(' ');
};

test.each([
  ['web.shop.svc.cluster.local', 'A', 'NOERROR A 10.96.1.1'],
  ['WEB.shop.svc.cluster.local.', 'A', 'NOERROR A 10.96.1.1'],
  ['web.shop.svc.cluster.local', 'AAAA', 'NOERROR'],
  ['none.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['late.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['db.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.5 A 10.244.1.6'],
  ['db-0.db.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.5'],
  ['10-244-1-6.db.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.6'],
  ['db-2.db.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['empty.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['outside.shop.svc.cluster.local', 'A', 'NOERROR CNAME db.example.com.'],
  ['_http._tcp.web.shop.svc.cluster.local', 'SRV', 'NOERROR SRV 0 100 80 web.shop.svc.cluster.local.'],
  [
    '_sql._tcp.db.shop.svc.cluster.local',
    'SRV',
    'NOERROR SRV 0 50 5432 db-0.db.shop.svc.cluster.local. SRV 0 50 5432 10-244-1-6.db.shop.svc.cluster.local.',
  ],
  ['_no._tcp.web.shop.svc.cluster.local', 'SRV', 'NXDOMAIN'],
  ['10-244-1-9.shop.pod.cluster.local', 'A', 'NOERROR A 10.244.1.9'],
  ['web.shop.pod.cluster.local', 'A', 'NXDOMAIN'],
  ['shop.svc.cluster.local', 'A', 'NOERROR'],
  ['none.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['1.1.96.10.in-addr.arpa', 'PTR', 'NOERROR PTR web.shop.svc.cluster.local.'],
  ['5.1.244.10.in-addr.arpa', 'PTR', 'NOERROR PTR db-0.db.shop.svc.cluster.local.'],
  ['9.9.9.9.in-addr.arpa', 'PTR', 'NXDOMAIN'],
  ['kubernetes.io', 'A', 'SERVFAIL'],
])('%s %s: %s', (name, type, expected) => expect(ask(name, type)).toBe(expected));
