import { expect, test } from '@jest/globals';
import { endpointAt, service, slice, tableOf } from '../../proxy/testing.js';
import { isStale } from './stale-tracks.js';

const dns = service('kube-system/dns', {
  clusterIP: '10.96.0.10',
  ports: [{ name: 'dns', port: 53, protocol: 'UDP', nodePort: 30_053 }],
});
const port = [{ name: 'dns', port: 53, protocol: 'UDP' }];
const services = tableOf(dns, slice('kube-system/dns', ['10.244.1.2'], port));
const to = (destination: string, endpoint: string, destinationPort = 53) => ({
  at: 'n',
  from: { source: '10.244.1.5', destination, destinationPort },
  to: { source: '10.244.1.5', destination: endpoint, destinationPort: 53 },
});

test.each<[string, ReturnType<typeof to>, boolean]>([
  ['to an endpoint that serves', to('10.96.0.10', '10.244.1.2'), false],
  ['to one that is gone', to('10.96.0.10', '10.244.1.3'), true],
  ['by a node port to one that is gone', to('172.18.0.2', '10.244.1.3', 30_053), true],
  ['to an address that was not translated', to('10.244.1.3', '10.244.1.3'), false],
  ['by a host port', to('172.18.0.2', '10.244.1.3', 5_353), false],
])('datagrams %s', (_, passing, expected) => {
  expect(isStale(services, passing)).toBe(expected);
});

test('a proxy that has never synced clears nothing', () => {
  expect(isStale(undefined, to('10.96.0.10', '10.244.1.3'))).toBe(false);
});

test('an endpoint that ends and serves on keeps them', () => {
  const ending = { conditions: { ready: false, serving: true, terminating: true } };
  const table = tableOf(dns, slice('kube-system/dns', [{ ...endpointAt('10.244.1.2'), ...ending }], port));
  expect(isStale(table, to('10.96.0.10', '10.244.1.2'))).toBe(false);
});
