import { describe, expect, test } from '@jest/globals';
import { listNftTable, walkHook, type Host, type NftTable, type Packet } from '../../../kernel/netfilter/index.js';
import { parseSettings } from '../settings.js';
import type { ServiceTable } from '../service-table.js';
import { endpointAt, service, slice, tableOf } from '../testing.js';
import { endpointsOf, type ProxyEndpoint } from '../endpoints.js';
import { servicePorts } from '../service-port.js';
import { endpointBase } from './names.js';
import { nftablesRuleset } from './ruleset.js';

const node = { name: 'host', ip: '192.168.0.2', zone: 'a' };
const settings = parseSettings('mode: nftables\nclusterCIDR: 10.0.0.0/8');
const nftOf = (services: ServiceTable): NftTable =>
  nftablesRuleset({ services, node, settings, at: Infinity, serviceCIDRs: ['172.30.0.0/16'] }).nft!;
/** The lines of a set, map or chain. */
const partOf = (services: ServiceTable, name: string): string[] => {
  const lines = listNftTable(nftOf(services)).split('\n');
  const first = lines.findIndex((line) => line.startsWith('\t') && line.endsWith(` ${name} {`));
  return lines.slice(first + 1, lines.indexOf('\t}', first)).map((line) => line.trim());
};

// Names and rules are those of upstream's own tests.
const cluster = tableOf(service('ns1/svc1', { clusterIP: '172.30.0.41' }), slice('ns1/svc1', ['10.180.0.1']));
const local = tableOf(
  service(
    'ns2/svc2',
    {
      type: 'LoadBalancer',
      clusterIP: '172.30.0.42',
      externalIPs: ['192.168.99.22'],
      externalTrafficPolicy: 'Local',
      loadBalancerSourceRanges: ['203.0.113.0/25'],
      ports: [{ name: 'p80', port: 80, protocol: 'TCP', nodePort: 3_001 }],
    },
    { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  ),
  slice('ns2/svc2', ['10.180.0.2@elsewhere']),
);
const sticky = tableOf(
  service('ns4/svc4', {
    ...{ clusterIP: '172.30.0.44', sessionAffinity: 'ClientIP' },
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 3_661 } },
  }),
  slice('ns4/svc4', ['10.180.0.4', '10.180.0.5']),
);

const [FOURTH] = endpointsOf([slice('ns4/svc4', ['10.180.0.4'])], 'p80', 'tcp') as [ProxyEndpoint];

test.each<[string, ServiceTable, string, string[]]>([
  [
    'who is not a pod is masqueraded',
    cluster,
    'service-ULMVA6XW-ns1/svc1/tcp/p80',
    [
      'ip daddr 172.30.0.41 ip saddr != 10.0.0.0/8 jump mark-for-masquerade',
      'numgen random mod 1 vmap { 0 : goto endpoint-5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80 }',
    ],
  ],
  [
    'an endpoint',
    cluster,
    'endpoint-5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80',
    ['ip saddr 10.180.0.1 jump mark-for-masquerade', 'meta l4proto tcp dnat to 10.180.0.1:80'],
  ],
  [
    'the map of addresses',
    cluster,
    'service-ips',
    [
      'type ipv4_addr . inet_proto . inet_service : verdict',
      'comment "ClusterIP, ExternalIP and LoadBalancer IP traffic"',
      'elements = { 172.30.0.41 . tcp . 80 : goto service-ULMVA6XW-ns1/svc1/tcp/p80 }',
    ],
  ],
  [
    'unallocated cluster IPs',
    cluster,
    'cluster-ips-check',
    [
      'ip daddr @cluster-ips reject comment "Reject traffic to invalid ports of ClusterIPs"',
      'ip daddr { 172.30.0.0/16 } drop comment "Drop traffic to unallocated ClusterIPs"',
    ],
  ],
  [
    'a policy Local without endpoints here',
    local,
    'no-endpoint-nodeports',
    [
      'type inet_proto . inet_service : verdict',
      'comment "vmap to drop or reject packets to service nodeports with no endpoints"',
      'elements = { tcp . 3001 comment "ns2/svc2:p80" : drop }',
    ],
  ],
  ['who may use a load balancer', local, 'firewall-42NFTM6N-ns2/svc2/tcp/p80', ['ip saddr != { 203.0.113.0/25 } drop']],
  [
    'pods and the node reach all endpoints',
    local,
    'external-42NFTM6N-ns2/svc2/tcp/p80',
    [
      'ip saddr 10.0.0.0/8 goto service-42NFTM6N-ns2/svc2/tcp/p80 comment "short-circuit pod traffic"',
      'fib saddr type local jump mark-for-masquerade comment "masquerade local traffic"',
      'fib saddr type local goto service-42NFTM6N-ns2/svc2/tcp/p80 comment "short-circuit local traffic"',
    ],
  ],
  [
    'affinity',
    sticky,
    `affinity-${endpointBase(servicePorts(service('ns4/svc4', { clusterIP: '172.30.0.44' }))[0]!, FOURTH)}`,
    ['type ipv4_addr', 'size 65535', 'flags dynamic,timeout', 'timeout 1h1m1s'],
  ],
])('%s', (_what, services, name, expected) => {
  expect(partOf(services, name)).toEqual(expected);
});

test('a client of affinity goes where it went before', () => {
  const chain = nftOf(sticky)
    .chains()
    .find(({ name }) => name.startsWith('service-') && name.includes('svc4'))!;
  const went = (isKnown: boolean): string => {
    const host: Host = { ...HOST, isRecent: (set) => isKnown && set.endsWith('10.180.0.5/80'), random: () => 0 };
    const rules = nftablesRuleset({ services: sticky, node, settings, at: Infinity });
    return walkHook(rules, 'PREROUTING', { ...PACKET, destination: '172.30.0.44' }, host).packet.destination;
  };
  expect(chain.rules).toHaveLength(4);
  expect([went(true), went(false)]).toEqual(['10.180.0.5', '10.180.0.4']);
});

const HOST: Host = {
  isLocal: (address) => address === node.ip,
  random: () => 0,
  isRecent: () => false,
  masqueradeAs: () => node.ip,
};
const PACKET: Packet = {
  ...{ source: '10.244.0.9', destination: '172.30.0.41', protocol: 'tcp', sourcePort: 40_000, destinationPort: 80 },
  ...{ mark: 0, state: 'NEW' },
};

describe('endpoints', () => {
  const ending = { conditions: { ready: false, serving: true, terminating: true } };
  const zone = (name: string): object => ({ hints: { forZones: [{ name }] } });
  test.each<[string, object, Parameters<typeof slice>[1], string[]]>([
    ['those that end, while none is ready', {}, [endpointAt('10.244.1.2', ending)], ['10.244.1.2']],
    ['not beside one that is ready', {}, [endpointAt('10.244.1.2', ending), '10.244.1.3'], ['10.244.1.3']],
    [
      'those of the zone',
      {},
      [endpointAt('10.244.1.2', zone('a')), endpointAt('10.244.2.2', zone('b'))],
      ['10.244.1.2'],
    ],
    [
      'those of the node by internalTrafficPolicy',
      { internalTrafficPolicy: 'Local' },
      ['10.244.1.2@host', '10.244.2.2@other'],
      ['10.244.1.2'],
    ],
  ])('%s', (_name, more, endpoints, expected) => {
    const table = tableOf(service('a/b', { clusterIP: '10.96.0.9', ...more }), slice('a/b', endpoints));
    const targets = [...listNftTable(nftOf(table)).matchAll(/dnat to ([\d.]+):80$/gm)].map(([, ip]) => ip);
    expect(targets.sort()).toEqual(expected);
  });
});

test('a proxy that has never synced has no table', () => {
  const { nft, tables } = nftablesRuleset({ services: undefined, node, settings, at: Infinity });
  expect(nft).toBeUndefined();
  expect(tables.map(({ name }) => name)).toEqual(['mangle', 'filter', 'nat']);
});
