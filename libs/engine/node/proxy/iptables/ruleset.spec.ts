import { describe, expect, test } from '@jest/globals';
import {
  saveTable,
  walkHook,
  type Chain,
  type Host,
  type Packet,
  type Ruleset,
} from '../../../kernel/netfilter/index.js';
import { hash32, SeededRandom } from '../../../machinery/random.js';
import { clusterChain, endpointChain } from './chain-names.js';
import { parseSettings } from '../settings.js';
import { iptablesRuleset } from './ruleset.js';
import type { ServiceTable } from '../service-table.js';
import { endpointAt, service, slice, tableOf } from '../testing.js';

const node = { name: 'host', ip: '192.168.0.2', zone: 'a' };
const settings = parseSettings('clusterCIDR: 10.0.0.0/8');
const rulesOf = (services: ServiceTable | undefined, more: Partial<typeof node> = {}): Ruleset =>
  iptablesRuleset({ services, node: { ...node, ...more }, settings, at: Infinity });
const linesOf = (services: ServiceTable, table: 'nat' | 'filter', chain: RegExp): string[] =>
  saveTable(rulesOf(services).tables.find(({ name }) => name === table)!)
    .split('\n')
    .filter((line) => line.startsWith('-A ') && chain.test(line.split(' ')[1]!));

// What upstream's own tests have, in the form in which iptables-save prints it.
test('chains are called as upstream calls them', () => {
  expect(clusterChain('ns1/svc1:p80', 'tcp')).toBe('KUBE-SVC-XPGD46QRK7WJZT7O');
  expect(clusterChain('ns2/svc2:p80', 'tcp')).toBe('KUBE-SVC-GNZBNJ2PO5MGZ6GT');
  expect(clusterChain('kube-system/kube-dns:dns', 'udp')).toBe('KUBE-SVC-TCOU7JCQXEZGVUNU');
  expect(clusterChain('default/kubernetes:https', 'tcp')).toBe('KUBE-SVC-NPX46M4PTMTKRN6Y');
  expect(endpointChain('ns1/svc1:p80', 'tcp', '10.180.0.1:80')).toBe('KUBE-SEP-SXIVWICOYRO3J4NJ');
});

describe('rules', () => {
  test('of a cluster IP', () => {
    const table = tableOf(service('ns1/svc1', { clusterIP: '172.30.0.41' }), slice('ns1/svc1', ['10.180.0.1']));
    expect(linesOf(table, 'nat', /^KUBE-(?:SERVICES|SVC|SEP)/)).toEqual([
      '-A KUBE-SEP-SXIVWICOYRO3J4NJ -s 10.180.0.1/32 -m comment --comment "ns1/svc1:p80" -j KUBE-MARK-MASQ',
      '-A KUBE-SEP-SXIVWICOYRO3J4NJ -p tcp -m comment --comment "ns1/svc1:p80" -m tcp -j DNAT --to-destination 10.180.0.1:80',
      '-A KUBE-SERVICES -d 172.30.0.41/32 -p tcp -m comment --comment "ns1/svc1:p80 cluster IP" -m tcp --dport 80 -j KUBE-SVC-XPGD46QRK7WJZT7O',
      '-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS',
      '-A KUBE-SVC-XPGD46QRK7WJZT7O ! -s 10.0.0.0/8 -d 172.30.0.41/32 -p tcp -m comment --comment "ns1/svc1:p80 cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ',
      '-A KUBE-SVC-XPGD46QRK7WJZT7O -m comment --comment "ns1/svc1:p80 -> 10.180.0.1:80" -j KUBE-SEP-SXIVWICOYRO3J4NJ',
    ]);
  });

  test('of a load balancer with source ranges whose endpoints are elsewhere', () => {
    const table = tableOf(
      service(
        'ns2/svc2',
        {
          type: 'LoadBalancer',
          clusterIP: '172.30.0.42',
          externalIPs: ['192.168.99.22'],
          externalTrafficPolicy: 'Local',
          healthCheckNodePort: 30_000,
          loadBalancerSourceRanges: ['203.0.113.0/25'],
          ports: [{ name: 'p80', port: 80, protocol: 'TCP', nodePort: 3_001 }],
        },
        { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
      ),
      slice('ns2/svc2', ['10.180.0.2@elsewhere']),
    );
    expect(linesOf(table, 'filter', /^KUBE-(?:NODEPORTS|EXTERNAL|PROXY-FIREWALL|SERVICES)/)).toEqual([
      '-A KUBE-EXTERNAL-SERVICES -d 192.168.99.22/32 -p tcp -m comment --comment "ns2/svc2:p80 has no local endpoints" -m tcp --dport 80 -j DROP',
      '-A KUBE-EXTERNAL-SERVICES -d 1.2.3.4/32 -p tcp -m comment --comment "ns2/svc2:p80 has no local endpoints" -m tcp --dport 80 -j DROP',
      '-A KUBE-EXTERNAL-SERVICES -p tcp -m comment --comment "ns2/svc2:p80 has no local endpoints" -m addrtype --dst-type LOCAL -m tcp --dport 3001 -j DROP',
      '-A KUBE-NODEPORTS -p tcp -m comment --comment "ns2/svc2:p80 health check node port" -m tcp --dport 30000 -j ACCEPT',
      '-A KUBE-PROXY-FIREWALL -d 1.2.3.4/32 -p tcp -m comment --comment "ns2/svc2:p80 traffic not accepted by KUBE-FW-GNZBNJ2PO5MGZ6GT" -m tcp --dport 80 -j DROP',
    ]);
    expect(linesOf(table, 'nat', /^KUBE-(?:EXT|FW)-/)).toEqual([
      '-A KUBE-EXT-GNZBNJ2PO5MGZ6GT -s 10.0.0.0/8 -m comment --comment "pod traffic for ns2/svc2:p80 external destinations" -j KUBE-SVC-GNZBNJ2PO5MGZ6GT',
      '-A KUBE-EXT-GNZBNJ2PO5MGZ6GT -m comment --comment "masquerade LOCAL traffic for ns2/svc2:p80 external destinations" -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ',
      '-A KUBE-EXT-GNZBNJ2PO5MGZ6GT -m comment --comment "route LOCAL traffic for ns2/svc2:p80 external destinations" -m addrtype --src-type LOCAL -j KUBE-SVC-GNZBNJ2PO5MGZ6GT',
      '-A KUBE-FW-GNZBNJ2PO5MGZ6GT -s 203.0.113.0/25 -m comment --comment "ns2/svc2:p80 loadbalancer IP" -j KUBE-EXT-GNZBNJ2PO5MGZ6GT',
      '-A KUBE-FW-GNZBNJ2PO5MGZ6GT -m comment --comment "other traffic to ns2/svc2:p80 will be dropped by KUBE-PROXY-FIREWALL"',
    ]);
  });

  test('of session affinity: who came before goes where it went', () => {
    const table = tableOf(
      service('a/b', { clusterIP: '10.96.0.9', sessionAffinity: 'ClientIP' }),
      slice('a/b', ['10.244.1.2', '10.244.1.3']),
    );
    const [svc, ...sep] = [
      clusterChain('a/b:p80', 'tcp'),
      ...['10.244.1.2:80', '10.244.1.3:80'].map((e) => endpointChain('a/b:p80', 'tcp', e)),
    ];
    expect(linesOf(table, 'nat', new RegExp(svc!)).slice(1)).toEqual([
      `-A ${svc} -m comment --comment "a/b:p80 -> 10.244.1.2:80" -m recent --rcheck --seconds 10800 --reap --name ${sep[0]} --mask 255.255.255.255 --rsource -j ${sep[0]}`,
      `-A ${svc} -m comment --comment "a/b:p80 -> 10.244.1.3:80" -m recent --rcheck --seconds 10800 --reap --name ${sep[1]} --mask 255.255.255.255 --rsource -j ${sep[1]}`,
      `-A ${svc} -m comment --comment "a/b:p80 -> 10.244.1.2:80" -m statistic --mode random --probability 0.50000000000 -j ${sep[0]}`,
      `-A ${svc} -m comment --comment "a/b:p80 -> 10.244.1.3:80" -j ${sep[1]}`,
    ]);
  });

  test.each<[string, Parameters<typeof service>[1]]>([
    ['headless', { clusterIP: 'None' }],
    ['of an external name', { type: 'ExternalName', externalName: 'example.org' }],
  ])('of a Service that is %s: none', (_name, spec) => {
    const table = tableOf(service('a/b', spec), slice('a/b', ['10.244.1.2']));
    expect(linesOf(table, 'nat', /^KUBE-(?:SVC|SEP)/)).toEqual([]);
    expect(linesOf(table, 'nat', /^KUBE-SERVICES/)).toHaveLength(1);
  });

  test('of a proxy that has never synced: what the kubelet wrote', () => {
    const tables = rulesOf(undefined).tables.map((table) =>
      table
        .chains()
        .map(({ name }) => name)
        .filter((name) => name.startsWith('KUBE')),
    );
    expect(tables).toEqual([
      ['KUBE-IPTABLES-HINT', 'KUBE-KUBELET-CANARY'],
      ['KUBE-FIREWALL', 'KUBE-KUBELET-CANARY'],
      ['KUBE-KUBELET-CANARY'],
    ]);
  });
});

describe('endpoints', () => {
  const spec = { clusterIP: '10.96.0.9' };
  const ending = { conditions: { ready: false, serving: true, terminating: true } };
  const zone = (...names: string[]): object => ({ hints: { forZones: names.map((name) => ({ name })) } });
  const here = (...names: string[]): object => ({
    hints: { ...zone(...names), forNodes: names.map((name) => ({ name })) },
  });
  test.each<[string, object, Parameters<typeof slice>[1], string[]]>([
    [
      'those that are ready',
      {},
      ['10.244.1.2', endpointAt('10.244.1.3', { conditions: { ready: false } })],
      ['10.244.1.2'],
    ],
    ['those that end, while none is ready', {}, [endpointAt('10.244.1.2', ending)], ['10.244.1.2']],
    [
      'not those that end beside one that is ready',
      {},
      [endpointAt('10.244.1.2', ending), '10.244.1.3'],
      ['10.244.1.3'],
    ],
    [
      'those of the zone, when all have hints',
      {},
      [endpointAt('10.244.1.2', zone('a')), endpointAt('10.244.2.2', zone('b'))],
      ['10.244.1.2'],
    ],
    [
      'all, when one has no hint',
      {},
      [endpointAt('10.244.1.2', zone('a')), '10.244.2.2'],
      ['10.244.1.2', '10.244.2.2'],
    ],
    [
      'all, when no hint is for this zone',
      {},
      [endpointAt('10.244.1.2', zone('c')), endpointAt('10.244.2.2', zone('b'))],
      ['10.244.1.2', '10.244.2.2'],
    ],
    [
      'those of the node, when all have hints for nodes',
      {},
      [endpointAt('10.244.1.2', here('host')), endpointAt('10.244.2.2', here('other'))],
      ['10.244.1.2'],
    ],
    [
      'those of the node by internalTrafficPolicy',
      { internalTrafficPolicy: 'Local' },
      ['10.244.1.2@host', '10.244.2.2@other'],
      ['10.244.1.2'],
    ],
  ])('%s', (_name, more, endpoints, expected) => {
    const table = tableOf(service('a/b', { ...spec, ...more }), slice('a/b', endpoints));
    const targets = linesOf(table, 'nat', /^KUBE-SEP/).flatMap(
      (line) => /--to-destination (.*):80$/.exec(line)?.[1] ?? [],
    );
    expect(targets.sort()).toEqual(expected);
  });
});

const host: Host = {
  isLocal: (address) => address === node.ip,
  random: ({ sourcePort }, n) => hash32(`${sourcePort}`, n) / 2 ** 32,
  isRecent: (name, { source }, _seconds, lists) => lists[hash32(source) % lists.length] === name,
  masqueradeAs: () => node.ip,
};

test('a walk by the index is the walk through all rules', () => {
  for (let seed = 0; seed < 25; seed++) {
    const random = new SeededRandom(seed);
    const rules = rulesOf(randomTable(random, 12));
    for (let i = 0; i < 20; i++) {
      const packet = randomPacket(random);
      for (const hook of ['PREROUTING', 'FORWARD', 'INPUT'] as const) {
        const walked = walkHook(rules, hook, packet, host);
        expect([seed, i, walked]).toEqual([seed, i, walkHook(linear(rules), hook, packet, host)]);
      }
    }
  }
});

const linear = ({ tables }: Ruleset): Ruleset => ({
  tables: tables.map((table) => ({ ...table, chain: (name) => withoutIndex(table.chain(name)) })),
});
const withoutIndex = (chain: Chain | undefined): Chain | undefined =>
  chain && { name: chain.name, rules: () => chain.rules(), ...(chain.policy && { policy: chain.policy }) };

function randomTable(random: SeededRandom, services: number): ServiceTable {
  const chance = (n: number): boolean => random.below(n) === 0;
  return tableOf(
    ...Array.from({ length: services }, (_, i) => {
      const key = `ns${i % 3}/svc${i}`;
      const isOutside = chance(2);
      const made = service(
        key,
        {
          type: isOutside ? 'LoadBalancer' : 'ClusterIP',
          clusterIP: `10.96.0.${random.below(services)}`,
          externalIPs: chance(3) ? ['203.0.113.7'] : [],
          externalTrafficPolicy: chance(2) ? 'Local' : 'Cluster',
          internalTrafficPolicy: chance(4) ? 'Local' : 'Cluster',
          sessionAffinity: chance(3) ? 'ClientIP' : 'None',
          loadBalancerSourceRanges: chance(3) ? ['192.168.0.0/16'] : [],
          ports: [80, 443].map((port) => ({
            name: `p${port}`,
            port,
            protocol: chance(4) ? 'UDP' : 'TCP',
            ...(isOutside ? { nodePort: 30_000 + random.below(4) } : {}),
          })),
        },
        { loadBalancer: { ingress: isOutside ? [{ ip: `1.2.3.${random.below(3)}` }] : [] } },
      );
      const endpoints = Array.from(
        { length: random.below(4) },
        (__, j) => `10.244.${i}.${j + 2}@${chance(2) ? 'host' : 'other'}`,
      );
      const ports = made.spec.ports!.map(({ name, protocol }) => ({ name, protocol, port: 8_080 }));
      return [made, slice(key, endpoints, ports)];
    }).flat(),
  );
}

function randomPacket(random: SeededRandom): Packet {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  return {
    source: pick(['10.244.0.2', '192.168.0.2', '192.168.7.7', '198.51.100.9']),
    destination: pick(['10.96.0.1', '10.96.0.5', '10.96.0.9', '203.0.113.7', '1.2.3.0', '1.2.3.1', node.ip]),
    protocol: pick(['tcp', 'tcp', 'udp'] as const),
    sourcePort: random.below(60_000),
    destinationPort: pick([80, 443, 30_000, 30_001, 30_003]),
    mark: 0,
    state: 'NEW',
  };
}
