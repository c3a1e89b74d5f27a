import { expect, test } from '@jest/globals';
import { makeWithDefaults } from '../../testing.js';
import { kind } from './kind.js';

const ports = [{ port: 80 }];

test.each<[string, object, object]>([
  [
    'a ClusterIP',
    { ports },
    {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    },
  ],
  [
    'a ClusterIP with external addresses',
    { externalIPs: ['192.0.2.1'] },
    {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      externalTrafficPolicy: 'Cluster',
      externalIPs: ['192.0.2.1'],
    },
  ],
  [
    'a NodePort',
    { type: 'NodePort' },
    { type: 'NodePort', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster', externalTrafficPolicy: 'Cluster' },
  ],
  [
    'a LoadBalancer',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    {
      type: 'LoadBalancer',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      externalTrafficPolicy: 'Local',
      allocateLoadBalancerNodePorts: true,
    },
  ],
  ['an ExternalName', { type: 'ExternalName' }, { type: 'ExternalName', sessionAffinity: 'None' }],
  [
    'affinity to clients, for three hours',
    { type: 'ExternalName', sessionAffinity: 'ClientIP' },
    {
      type: 'ExternalName',
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
    },
  ],
  [
    'no affinity, and no configuration of it',
    { type: 'ExternalName', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
    { type: 'ExternalName', sessionAffinity: 'None' },
  ],
])('%s', (_, spec, expected) => expect(makeWithDefaults(kind, { spec }).spec).toEqual(expected));

test("a load balancer's address is a virtual IP", () =>
  expect(
    makeWithDefaults(kind, {
      spec: { type: 'LoadBalancer' },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'lb.example.com' }] } },
    }).status,
  ).toEqual({ loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }, { hostname: 'lb.example.com' }] } }));
