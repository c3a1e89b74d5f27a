import { expect, test } from '@jest/globals';
import type { Service } from '../../../api/core_v1.js';
import { NOW, pod, readerOf, STAMP } from '../testing.js';
import { serviceVariables } from './service-variables.js';

const service = (name: string, spec: Service['spec'], more: Service['metadata'] = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop', creationTimestamp: STAMP, ...more },
  spec,
  status: {},
});
const KUBERNETES = service(
  'kubernetes',
  { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
  { namespace: 'default' },
);
const API_SERVER = {
  KUBERNETES_SERVICE_HOST: '10.96.0.1',
  KUBERNETES_SERVICE_PORT: '443',
  KUBERNETES_SERVICE_PORT_HTTPS: '443',
  KUBERNETES_PORT: 'tcp://10.96.0.1:443',
  KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
  KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
  KUBERNETES_PORT_443_TCP_PORT: '443',
  KUBERNETES_PORT_443_TCP_ADDR: '10.96.0.1',
};
const DNS = service('my-dns', {
  clusterIP: 'fd00::1',
  ports: [
    { name: 'dns-udp', port: 53, protocol: 'UDP' },
    { port: 80, protocol: 'TCP' },
  ],
});
const variables = (services: Service[], spec: object = {}, at = NOW): Readonly<Record<string, string>> =>
  serviceVariables({ pod: pod(spec), read: readerOf(KUBERNETES, ...services) }, at);

test('every pod knows the API server', () => expect(variables([])).toEqual(API_SERVER));

test('a Service has variables for each of its ports', () => {
  expect(variables([DNS])).toEqual({
    ...API_SERVER,
    MY_DNS_SERVICE_HOST: 'fd00::1',
    MY_DNS_SERVICE_PORT: '53',
    MY_DNS_SERVICE_PORT_DNS_UDP: '53',
    MY_DNS_PORT: 'udp://[fd00::1]:53',
    MY_DNS_PORT_53_UDP: 'udp://[fd00::1]:53',
    MY_DNS_PORT_53_UDP_PROTO: 'udp',
    MY_DNS_PORT_53_UDP_PORT: '53',
    MY_DNS_PORT_53_UDP_ADDR: 'fd00::1',
    MY_DNS_PORT_80_TCP: 'tcp://[fd00::1]:80',
    MY_DNS_PORT_80_TCP_PROTO: 'tcp',
    MY_DNS_PORT_80_TCP_PORT: '80',
    MY_DNS_PORT_80_TCP_ADDR: 'fd00::1',
  });
});

test.each<[string, Service[], object]>([
  ['headless Services', [service('web', { clusterIP: 'None', ports: [{ port: 80 }] })], {}],
  ['Services of other namespaces', [{ ...DNS, metadata: { ...DNS.metadata, namespace: 'other' } }], {}],
  ['pods without service links', [DNS], { enableServiceLinks: false }],
  [
    'Services that came later',
    [{ ...DNS, metadata: { ...DNS.metadata, creationTimestamp: '2027-01-01T00:00:00Z' } }],
    {},
  ],
])('there are none of %s', (_case, services, spec) => expect(variables(services, spec)).toEqual(API_SERVER));
