import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import { custom, meshLook, podOf, requestTo, tell, virtualService, workloadIn } from '../testing.js';
import { serversAt, takeAtGateway } from './gateway.js';

const GATEWAY = podOf('gateway', '10.244.9.9', { istio: 'ingressgateway' });
const gateway = (hosts: readonly string[], tls: object = {}): KubeObject =>
  custom('networking', 'Gateway', 'front', {
    selector: { istio: 'ingressgateway' },
    servers: [{ port: { number: 80, name: 'http', protocol: 'HTTP' }, hosts, ...tls }],
  });
const service = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'gateway', namespace: 'shop' } },
  spec: { selector: { istio: 'ingressgateway' }, ports: [{ port: 80, targetPort: 8_080 }] },
} as never;
const routes = virtualService([{ match: [{ uri: { prefix: '/shop' } }], route: [{ destination: { host: 'web' } }] }], {
  ...{ hosts: ['shop.test'], gateways: ['front'] },
});

test.each<[string, KubeObject[], string, string]>([
  ['a route', [gateway(['*']), routes], 'http://shop.test/shop', '10.244.1.2:8080 /shop tls'],
  ['another path', [gateway(['*']), routes], 'http://shop.test/', '404'],
  ['another host', [gateway(['*']), routes], 'http://other.test/shop', '404'],
  ['a host that the Gateway does not serve', [gateway(['a.test']), routes], 'http://shop.test/shop', '404'],
  [
    'a redirect to TLS',
    [gateway(['*'], { tls: { httpsRedirect: true } }), routes],
    'http://shop.test/x',
    '301 https://shop.test/x',
  ],
])('%s', (_case, objects, url, expected) => {
  const look = meshLook(service, ...objects);
  const workload = workloadIn(look, GATEWAY);
  expect(tell(takeAtGateway(workload, requestTo(url, { port: 8_080 }), look))).toBe(expected);
  expect(serversAt(look.read, workload, 8_080)).toHaveLength(1);
  expect(serversAt(look.read, workload, 8_443)).toHaveLength(0);
});
