import { expect, test } from '@jest/globals';
import type { LabelSelector } from '../../api/meta_v1.js';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../api/networking_v1.js';
import { SeededRandom } from '../../machinery/random.js';
import { allowedFlows, type SmallWorld } from './oracle.js';
import { judgePacket, type Party, type Protocol } from './index.js';
import { namespace, nodeAt, packetOf, partyOf, podAt, policy, worldOf } from './testing.js';

const WORLDS = 1_000;
const FLOWS = 25;
const NAMESPACES = ['x', 'y', 'z'];
const PORTS = [79, 80, 81];
const PROTOCOLS: readonly Protocol[] = ['TCP', 'UDP', 'SCTP'];
const OUTSIDE = ['203.0.113.7', '10.245.0.1'];

class Dice extends SeededRandom {
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
  maybe(chance: number): boolean {
    return this.next() < chance;
  }
}

function selector(dice: Dice): LabelSelector {
  const key = () => dice.pick(['pod', 'app', 'tier']);
  const value = () => dice.pick(['a', 'b', 'c']);
  if (dice.maybe(0.3)) return {};
  if (dice.maybe(0.6)) return { matchLabels: { [key()]: value() } };
  const operator = dice.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const values = operator.includes('In') ? [value(), value()] : undefined;
  return { matchExpressions: [{ key: key(), operator, ...(values ? { values } : {}) }] };
}

function peer(dice: Dice): NetworkPolicyPeer {
  if (dice.maybe(0.3)) {
    const cidr = dice.pick(['0.0.0.0/0', '10.244.0.0/16', '10.244.1.0/24', '172.18.0.0/16', '10.244.1.2/31']);
    const except = dice.some(2, () => dice.pick(['10.244.1.3/32', '10.244.2.0/24', '203.0.113.0/24']));
    return { ipBlock: { cidr, except } };
  }
  const kind = dice.below(3);
  return {
    ...(kind !== 1 ? { podSelector: selector(dice) } : {}),
    ...(kind !== 0 ? { namespaceSelector: selector(dice) } : {}),
  };
}

function portOf(dice: Dice): NetworkPolicyPort {
  const protocol = dice.pick(PROTOCOLS);
  if (dice.maybe(0.2)) return { protocol };
  if (dice.maybe(0.3)) return { protocol, port: `serve-${dice.pick([80, 81])}-${dice.pick(['tcp', 'udp', 'sctp'])}` };
  return dice.maybe(0.3) ? { protocol, port: 79, endPort: 80 } : { protocol, port: dice.pick(PORTS) };
}

function randomPolicy(dice: Dice, i: number): NetworkPolicy {
  const ports = () => (dice.maybe(0.5) ? { ports: dice.some(2, () => portOf(dice)) } : {});
  const peers = (name: 'from' | 'to') => (dice.maybe(0.8) ? { [name]: dice.some(3, () => peer(dice)) } : {});
  return policy(`${dice.pick(NAMESPACES)}/p${i}`, {
    podSelector: selector(dice),
    policyTypes: dice.pick([['Ingress'], ['Egress'], ['Ingress', 'Egress']]),
    ingress: dice.some(2, () => ({ ...ports(), ...peers('from') })),
    egress: dice.some(2, () => ({ ...ports(), ...peers('to') })),
  });
}

function randomWorld(dice: Dice): SmallWorld {
  const value = () => dice.pick(['a', 'b', 'c']);
  const pods = NAMESPACES.flatMap((ns, i) =>
    ['a', 'b', 'c'].map((name, j) =>
      podAt(`${ns}/${name}`, `10.244.${i + 1}.${j + 2}`, dice.maybe(0.5) ? { app: value() } : {}, {
        nodeName: dice.pick(['worker-1', 'worker-2']),
      }),
    ),
  );
  return {
    namespaces: new Map(
      NAMESPACES.map((name): [string, Record<string, string>] => [
        name,
        dice.maybe(0.7) ? { pod: name, tier: value() } : {},
      ]),
    ),
    pods,
    nodes: [nodeAt('worker-1', '172.18.0.2'), nodeAt('worker-2', '172.18.0.3')],
    outside: OUTSIDE,
    ports: PORTS,
    policies: dice.some(5, () => undefined).map((_one, i) => randomPolicy(dice, i)),
  };
}

test(`in ${WORLDS} random worlds the verdict is the oracle's`, () => {
  const verdicts = { allowed: 0, denied: 0 };
  for (let seed = 0; seed < WORLDS; seed++) {
    const dice = new Dice(seed);
    const small = randomWorld(dice);
    const expected = allowedFlows(small);
    const namespaces = [...small.namespaces].map(([name, labels]) => namespace(name, labels));
    const world = worldOf(...namespaces, ...small.pods, ...small.policies);
    const parties: readonly Party[] = [
      ...small.pods.map(partyOf),
      ...small.nodes.map((node) => ({ ip: node.status.addresses?.[0]?.address ?? '', node: node.metadata.name })),
      ...small.outside.map((ip) => ({ ip })),
    ];
    for (let i = 0; i < FLOWS; i++) {
      const [from, to, port, protocol] = [
        dice.pick(parties),
        dice.pick(parties),
        dice.pick(PORTS),
        dice.pick(PROTOCOLS),
      ];
      const flow = `${from.ip} ${to.ip} ${port} ${protocol}`;
      const { allowed } = judgePacket(world, packetOf(from, to, port, protocol));
      verdicts[allowed ? 'allowed' : 'denied']++;
      if (allowed !== expected.has(flow)) throw new Error(`seed ${seed}: ${flow}: ${allowed ? 'allowed' : 'denied'}`);
    }
  }
  expect(Math.min(verdicts.allowed, verdicts.denied)).toBeGreaterThan((WORLDS * FLOWS) / 20);
});
