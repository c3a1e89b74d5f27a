import { expect, test } from '@jest/globals';
import { statusErrors } from '../../testing.js';
import { kind } from './kind.js';

test.each<[string, object, object, string[]]>([
  [
    'no load balancer',
    {},
    { ip: '1.2.3.4', ipMode: 'VIP' },
    ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
  ],
  ['an address', { type: 'LoadBalancer' }, { ip: '1.2.3.4', ipMode: 'VIP' }, []],
  ['a name', { type: 'LoadBalancer' }, { hostname: 'lb.example.com' }, []],
  [
    'no mode',
    { type: 'LoadBalancer' },
    { ip: '1.2.3.4' },
    ['status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set'],
  ],
  [
    'an unknown mode',
    { type: 'LoadBalancer' },
    { ip: '1.2.3.4', ipMode: 'Direct' },
    ['status.loadBalancer.ingress[0].ipMode: Unsupported value: "Direct": supported values: "Proxy", "VIP"'],
  ],
  [
    'a mode of no address',
    { type: 'LoadBalancer' },
    { ipMode: 'VIP' },
    ['status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set'],
  ],
  [
    'an address for a name',
    { type: 'LoadBalancer' },
    { hostname: '1.2.3.4' },
    ['status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ],
])('a status with %s', (_, spec, ingress, errors) =>
  expect(
    statusErrors(kind, { spec: { ports: [{ port: 80 }], ...spec } }, { loadBalancer: { ingress: [ingress] } }),
  ).toEqual(errors),
);
