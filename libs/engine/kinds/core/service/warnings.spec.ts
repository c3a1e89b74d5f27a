import { expect, test } from '@jest/globals';
import { warningsOf } from '../../testing.js';
import { kind } from './kind.js';

const ports = [{ port: 80 }];

test.each<[string, Record<string, unknown>, string[]]>([
  ['a plain one', { spec: { ports } }, []],
  [
    'an old annotation',
    { metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } }, spec: { ports } },
    [
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    ],
  ],
  [
    'headless, with what it ignores',
    {
      spec: {
        ports,
        clusterIP: 'None',
        loadBalancerIP: '192.0.2.1',
        externalIPs: ['192.0.2.1'],
        sessionAffinity: 'ClientIP',
      },
    },
    [
      'spec.loadBalancerIP is ignored for headless services',
      'spec.externalIPs is ignored for headless services',
      'spec.SessionAffinity is ignored for headless services',
    ],
  ],
  [
    'external addresses',
    { spec: { ports, externalIPs: ['192.0.2.1'] } },
    ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'],
  ],
  [
    'an external name with external addresses',
    { spec: { type: 'ExternalName', externalName: 'example.com', externalIPs: ['192.0.2.1'] } },
    ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ],
  [
    'an external name of another type',
    { spec: { ports, externalName: 'example.com' } },
    ['spec.externalName is ignored when spec.type is not "ExternalName"'],
  ],
  [
    'addresses in other than their canonical form',
    { spec: { type: 'LoadBalancer', ports, loadBalancerIP: 'FD00::1', loadBalancerSourceRanges: ['FD00::/64'] } },
    [
      'spec.loadBalancerIP: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
      'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
    ],
  ],
  [
    'an old distribution',
    { spec: { ports, trafficDistribution: 'PreferClose' } },
    ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
  ],
])('%s', (_, fields, warnings) => expect(warningsOf(kind, fields)).toEqual(warnings));
