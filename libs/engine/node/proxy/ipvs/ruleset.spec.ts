import { describe, expect, test } from '@jest/globals';
import { listSet, listVirtualServers, saveTable, type Ruleset } from '../../../kernel/netfilter/index.js';
import { parseSettings } from '../settings.js';
import type { ServiceTable } from '../service-table.js';
import { endpointAt, service, slice, tableOf } from '../testing.js';
import { ipvsRuleset } from './ruleset.js';

const node = { name: 'host', ip: '172.18.0.2', zone: 'a', gateway: '10.244.1.1' };
const rulesOf = (services: ServiceTable | undefined, config = ''): Ruleset =>
  ipvsRuleset({ services, node, settings: parseSettings(`mode: ipvs\n${config}`), at: Infinity });
const servers = (rules: Ruleset): string[] =>
  listVirtualServers(rules.ipvs, { columns: 'connections' }).trimEnd().split('\n').slice(3);
const members = (rules: Ruleset): Record<string, readonly string[]> =>
  Object.fromEntries(
    [...rules.sets!.values()].filter((set) => set.members().length > 0).map((set) => [set.name, set.members()]),
  );

const open = tableOf(
  service(
    'shop/web',
    {
      type: 'LoadBalancer',
      clusterIP: '10.96.0.9',
      externalIPs: ['192.0.2.7'],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30_200,
      loadBalancerSourceRanges: ['203.0.113.0/25'],
      ports: [{ name: 'p80', port: 80, protocol: 'TCP', nodePort: 30_080 }],
    },
    { loadBalancer: { ingress: [{ ip: '172.18.255.200' }] } },
  ),
  slice('shop/web', ['10.244.1.2@host', '10.244.2.2@other']),
);

test('virtual servers stand at every address, those from outside have the endpoints of the node', () => {
  expect(servers(rulesOf(open)).map((line) => line.trimEnd())).toEqual([
    'TCP  10.96.0.9:80 rr',
    '  -> 10.244.1.2:80                Masq    1      0          0',
    '  -> 10.244.2.2:80                Masq    1      0          0',
    'TCP  10.244.1.1:30080 rr',
    '  -> 10.244.1.2:80                Masq    1      0          0',
    'TCP  172.18.0.2:30080 rr',
    '  -> 10.244.1.2:80                Masq    1      0          0',
    'TCP  172.18.255.200:80 rr',
    '  -> 10.244.1.2:80                Masq    1      0          0',
    'TCP  192.0.2.7:80 rr',
    '  -> 10.244.1.2:80                Masq    1      0          0',
  ]);
});

test('sets have what the rules ask for', () => {
  const rules = rulesOf(open);
  expect(members(rules)).toEqual({
    'KUBE-LOOP-BACK': ['10.244.1.2,tcp:80,10.244.1.2'],
    'KUBE-CLUSTER-IP': ['10.96.0.9,tcp:80'],
    'KUBE-EXTERNAL-IP-LOCAL': ['192.0.2.7,tcp:80'],
    'KUBE-LOAD-BALANCER': ['172.18.255.200,tcp:80'],
    'KUBE-LOAD-BALANCER-FW': ['172.18.255.200,tcp:80'],
    'KUBE-LOAD-BALANCER-LOCAL': ['172.18.255.200,tcp:80'],
    'KUBE-LOAD-BALANCER-SOURCE-CIDR': ['172.18.255.200,tcp:80,203.0.113.0/25'],
    'KUBE-NODE-PORT-TCP': ['30080'],
    'KUBE-NODE-PORT-LOCAL-TCP': ['30080'],
    'KUBE-HEALTH-CHECK-NODE-PORT': ['30200'],
    'KUBE-IPVS-IPS': ['10.96.0.9', '172.18.255.200', '192.0.2.7'],
  });
  expect(rules.ipvs!.addresses()).toEqual(['10.96.0.9', '172.18.255.200', '192.0.2.7']);
  expect(listSet(rules.sets!.get('KUBE-CLUSTER-IP')!, 2, false)).toMatch(
    /^Name: KUBE-CLUSTER-IP\nType: hash:ip,port\n[^]*Number of entries: 1\nMembers:\n10\.96\.0\.9,tcp:80\n$/,
  );
});

test('rules of empty sets are not written', () => {
  const nat = (services: ServiceTable, config?: string): string =>
    saveTable(rulesOf(services, config).tables.find(({ name }) => name === 'nat')!);
  const plain = tableOf(service('a/b', { clusterIP: '10.96.0.9' }), slice('a/b', ['10.244.1.2']));
  expect(nat(open)).toContain('--match-set KUBE-LOAD-BALANCER dst,dst -j KUBE-LOAD-BALANCER');
  expect(nat(plain)).not.toContain('--match-set KUBE-LOAD-BALANCER ');
  expect(nat(plain, 'clusterCIDR: 10.244.0.0/16')).toContain(
    '-A KUBE-SERVICES ! -s 10.244.0.0/16 -m comment --comment "Kubernetes service cluster ip + port for masquerade' +
      ' purpose" -m set --match-set KUBE-CLUSTER-IP dst,dst -j KUBE-MARK-MASQ',
  );
});

test.each<[string, string]>([
  ['', 'TCP  10.96.0.9:80 rr'],
  ['ipvs: {scheduler: wlc}', 'TCP  10.96.0.9:80 wlc'],
  ['ipvs: {scheduler: mh}', 'TCP  10.96.0.9:80 mh (mh-port)'],
])('scheduler: %s', (config, line) => {
  const table = tableOf(service('a/b', { clusterIP: '10.96.0.9' }));
  expect(servers(rulesOf(table, config))).toEqual([line]);
});

test('affinity is persistence', () => {
  const table = tableOf(service('a/b', { clusterIP: '10.96.0.9', sessionAffinity: 'ClientIP' }));
  expect(servers(rulesOf(table))).toEqual(['TCP  10.96.0.9:80 rr persistent 10800']);
});

describe('endpoints', () => {
  const ending = { conditions: { ready: false, serving: true, terminating: true } };
  const zone = (name: string): object => ({ hints: { forZones: [{ name }] } });
  test.each<[string, object, Parameters<typeof slice>[1], string[]]>([
    ['those that end, while none is ready', {}, [endpointAt('10.244.1.2', ending)], ['10.244.1.2']],
    ['not beside one that is ready', {}, [endpointAt('10.244.1.2', ending), '10.244.1.3'], ['10.244.1.3']],
    ['the zone', {}, [endpointAt('10.244.1.2', zone('a')), endpointAt('10.244.2.2', zone('b'))], ['10.244.1.2']],
    ['the node', { internalTrafficPolicy: 'Local' }, ['10.244.1.2@host', '10.244.2.2@other'], ['10.244.1.2']],
    ['none here', { internalTrafficPolicy: 'Local' }, ['10.244.2.2@other'], []],
  ])('%s', (_name, more, endpoints, expected) => {
    const table = tableOf(service('a/b', { clusterIP: '10.96.0.9', ...more }), slice('a/b', endpoints));
    const [server] = rulesOf(table).ipvs!.all();
    expect(server!.servers.map(({ address }) => address)).toEqual(expected);
  });
});

test('a proxy that has never synced has no virtual servers', () => {
  expect(rulesOf(undefined).ipvs).toBeUndefined();
});
