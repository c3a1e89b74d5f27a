import { describe, expect, test } from '@jest/globals';
import { hash32, SeededRandom } from '../../machinery/random.js';
import { judgeSaved, readSave } from './testing.js';
import {
  makeTable,
  prefixOf,
  saveRuleset,
  walkHook,
  type AddressSet,
  type Host,
  type Match,
  type Packet,
  type Rule,
  type Ruleset,
  type Target,
} from './index.js';

const packet: Packet = {
  source: '10.244.1.5',
  destination: '10.96.0.10',
  protocol: 'tcp',
  sourcePort: 40_000,
  destinationPort: 80,
  mark: 0,
  state: 'NEW',
};
const host: Host = {
  isLocal: (address) => address === '172.18.0.2',
  random: ({ sourcePort }, n) => hash32(`${sourcePort}`, n) / 2 ** 32,
  isRecent: (name, { source }) => hash32(`${name} ${source}`) % 3 === 0,
  masqueradeAs: () => '172.18.0.2',
};

const VIRTUAL = { address: '10.96.0.1', protocol: 'tcp', port: 80 } as const;

const ruleset = (nat: Record<string, Rule[]>, filter: Record<string, Rule[]> = {}): Ruleset => ({
  tables: [makeTable('filter', filter), makeTable('nat', nat)],
});
const rule = (target: Target | undefined, matches: Match[] = [], more: Partial<Rule> = {}): Rule => ({
  matches,
  ...(target && { target }),
  ...more,
});

test('a jump comes back, a translation ends the table, and every rule that matched is told', () => {
  const rules = ruleset({
    PREROUTING: [
      rule({ type: 'jump', chain: 'EMPTY' }),
      rule({ type: 'jump', chain: 'SERVICES' }),
      rule({ type: 'MARK', value: 1, mask: 1 }),
    ],
    EMPTY: [rule({ type: 'RETURN' }), rule({ type: 'DROP' })],
    SERVICES: [
      rule({ type: 'DROP' }, [], { destination: { prefix: prefixOf('10.96.0.11') } }),
      rule({ type: 'MARK', value: 0x4000, mask: 0x4000 }),
      rule({ type: 'DNAT', to: '10.244.2.7:8080' }),
    ],
  });
  const walk = walkHook(rules, 'PREROUTING', packet, host);
  expect(walk.verdict).toEqual({ type: 'ACCEPT' });
  expect(walk.packet).toMatchObject({ destination: '10.244.2.7', destinationPort: 8080, mark: 0x4000 });
  expect(walk.hops.map((hop) => `${hop.chain} ${'nft' in hop ? 'nft' : hop.rule?.target?.type}`)).toEqual([
    'PREROUTING jump',
    'EMPTY RETURN',
    'PREROUTING jump',
    'SERVICES MARK',
    'SERVICES DNAT',
  ]);
});

test('chains that jump in a circle end', () => {
  const rules = ruleset({
    OUTPUT: [rule({ type: 'jump', chain: 'A' })],
    A: [rule({ type: 'jump', chain: 'B' }), rule({ type: 'jump', chain: 'B' })],
    B: [rule({ type: 'jump', chain: 'A' }), rule({ type: 'jump', chain: 'A' })],
  });
  expect(walkHook(rules, 'OUTPUT', packet, host).verdict.type).toBe('DROP');
});

test.each<[Match, Partial<Packet>, boolean]>([
  [{ type: 'multiport', side: 'dports', ports: [[80, 90]] }, { destinationPort: 85 }, true],
  [{ type: 'multiport', side: 'dports', ports: [[80, 90]], isNot: true }, { destinationPort: 85 }, false],
  [{ type: 'mark', value: 0x4000, mask: 0x4000 }, { mark: 0xc000 }, true],
  [{ type: 'conntrack', states: ['RELATED', 'ESTABLISHED'] }, {}, false],
  [{ type: 'addrtype', side: 'dst', kind: 'LOCAL' }, { destination: '172.18.0.2' }, true],
  [{ type: 'addrtype', side: 'dst', kind: 'MULTICAST' }, { destination: '224.0.0.7' }, true],
  [{ type: 'addrtype', side: 'src', kind: 'UNICAST' }, {}, true],
  [{ type: 'set', name: 'S', flags: ['dst', 'dst'] }, { destinationPort: 443 }, true],
  [{ type: 'set', name: 'S', flags: ['dst', 'dst'] }, { protocol: 'udp', destinationPort: 443 }, false],
  [{ type: 'set', name: 'NET', flags: ['src'] }, {}, true],
  [{ type: 'udp' }, {}, false],
  [{ type: 'physdev', side: 'is-bridged', isNot: true }, {}, true],
  [{ type: 'ipvs', address: '10.96.0.1', protocol: 'tcp', port: 80 }, {}, false],
  [{ type: 'ipvs', address: '10.96.0.1', protocol: 'tcp', port: 80 }, { virtual: VIRTUAL }, true],
  [{ type: 'ipvs', address: '10.96.0.1', protocol: 'tcp', port: 81 }, { virtual: VIRTUAL }, false],
])('%j of %j: %s', (match, change, isMet) => {
  const members: Record<string, string[]> = { S: ['10.96.0.10,tcp:443'], NET: ['10.244.0.0/16'] };
  const sets = Object.entries(members).map(([name, own]): [string, AddressSet] => [
    name,
    { name, type: 'hash:ip', members: () => own },
  ]);
  const rules: Ruleset = {
    ...ruleset({}, { OUTPUT: [rule({ type: 'DROP' }, [match])] }),
    sets: new Map(sets),
  };
  expect(walkHook(rules, 'OUTPUT', { ...packet, ...change }, host).verdict.type).toBe(isMet ? 'DROP' : 'ACCEPT');
});

describe('the rules that are printed are the rules that are walked', () => {
  const seeds = Array.from({ length: Number(process.env['WORLDS'] ?? 80) }, (_, i) => i);
  test('random rules, read back by another interpreter', () => {
    for (const seed of seeds) {
      const random = new SeededRandom(seed);
      const rules = ruleset(randomChains(random, true), randomChains(random, false));
      const saved = { iptables: readSave(saveRuleset(rules, '1.8.9', 'now')), sets: new Map(), nft: undefined };
      for (let i = 0; i < 20; i++) {
        const sent = randomPacket(random);
        const walk = walkHook(rules, 'OUTPUT', sent, host);
        const { source, destination, destinationPort, mark } = walk.packet;
        const mine = { verdict: walk.verdict.type, packet: `${source} > ${destination}:${destinationPort} ${mark}` };
        expect([seed, i, mine]).toEqual([seed, i, judgeSaved(saved, 'OUTPUT', sent, host)]);
      }
    }
  });
});

const ADDRESSES = ['10.244.1.5', '10.244.2.9', '10.96.0.10', '172.18.0.2', '8.8.8.8'];
const PREFIXES = ['10.0.0.0/8', '10.244.1.5/32', '10.96.0.0/12', '0.0.0.0/0', '172.18.0.0/31', '8.8.8.0/25'];

function randomPacket(random: SeededRandom): Packet {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  return {
    ...packet,
    source: pick(ADDRESSES),
    destination: pick(ADDRESSES),
    protocol: pick(['tcp', 'udp', 'sctp'] as const),
    sourcePort: 40_000 + random.below(50),
    destinationPort: pick([80, 81, 443]),
    mark: pick([0, 0x4000]),
    state: pick(['NEW', 'ESTABLISHED', 'INVALID'] as const),
  };
}

function randomChains(random: SeededRandom, isNat: boolean): Record<string, Rule[]> {
  const chains: Record<string, Rule[]> = {};
  const names = ['OUTPUT', 'KUBE-A', 'KUBE-B', 'KUBE-C'];
  names.forEach((name, level) => {
    chains[name] = Array.from({ length: random.below(6) }, () => randomRule(random, names.slice(level + 1), isNat));
  });
  return chains;
}

function randomRule(random: SeededRandom, below: readonly string[], isNat: boolean): Rule {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  const isNot = random.below(3) === 0;
  const address = { prefix: prefixOf(pick(PREFIXES)), isNot };
  const protocol = pick(['tcp', 'udp', 'sctp'] as const);
  const matches: Match[] = [
    { type: 'comment', text: pick(['plain', 'with "quotes"', "it's a\\b", 'ns/svc:p80 cluster IP']) },
    ...(random.below(2)
      ? [
          {
            type: protocol,
            dport: pick([
              [80, 80],
              [80, 443],
            ] as const),
          } as Match,
        ]
      : []),
    ...(random.below(4) ? [] : [{ type: 'statistic', probability: 1 / (1 + random.below(4)) } as Match]),
    ...(random.below(4) ? [] : [{ type: 'mark', value: 0x4000, mask: 0x4000, isNot } as Match]),
    ...(random.below(4) ? [] : [{ type: 'conntrack', states: ['NEW', 'RELATED'], isNot } as Match]),
    ...(random.below(4)
      ? []
      : [{ type: 'addrtype', side: pick(['src', 'dst'] as const), kind: 'LOCAL', isNot } as Match]),
    ...(random.below(4)
      ? []
      : [{ type: 'recent', mode: pick(['set', 'rcheck'] as const), name: 'L', seconds: 9 } as Match]),
  ];
  const needsProtocol = matches.some(({ type }) => type === protocol);
  const targets: (Target | undefined)[] = [
    undefined,
    { type: 'ACCEPT' },
    { type: 'RETURN' },
    { type: 'MARK', value: 0x4000, mask: pick([0, 0x4000]) },
    ...below.map((chain): Target => ({ type: 'jump', chain })),
    ...below.map((chain): Target => ({ type: 'jump', chain })),
    ...(isNat
      ? ([
          { type: 'DNAT', to: '10.244.2.9:8080' },
          { type: 'DNAT', to: '8.8.8.8' },
        ] as const)
      : ([{ type: 'DROP' }, { type: 'REJECT', with: 'icmp-port-unreachable' }] as const)),
  ];
  return rule(pick(targets), matches, {
    ...(random.below(2) ? { source: address } : { destination: address }),
    ...(needsProtocol ? { protocol: { name: protocol } } : {}),
  });
}
