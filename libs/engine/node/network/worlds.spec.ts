import { expect, test } from '@jest/globals';
import type { Node, Pod, Service } from '../../api/core_v1.js';
import type { Endpoint, EndpointSlice } from '../../api/discovery_v1.js';
import { readNft } from '../../kernel/netfilter/nft/testing.js';
import { readSets } from '../../kernel/netfilter/sets/testing.js';
import { judgeSaved, readSave, type Saved } from '../../kernel/netfilter/testing.js';
import {
  listNftTable,
  saveRuleset,
  saveSet,
  saveVirtualServers,
  walkHook,
  type Host,
  type Packet,
  type Ruleset,
} from '../../kernel/netfilter/index.js';
import { ConfigMaps, EndpointSlices, ProxyRuntimes, ServiceCIDRs, Services } from '../../kinds/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { SeededRandom } from '../../machinery/random.js';
import type { State } from '../../runtime/state/state.js';
import { clientOf, stateOf } from '../cri/testing.js';
import { node, NOW, pod } from '../kubelet/testing.js';
import type { ProxyMode } from '../proxy/index.js';
import { takeSnapshot } from '../proxy/snapshot.js';
import { endpointAt, service, slice } from '../proxy/testing.js';
import { ClusterNetwork } from './cluster-network.js';
import { outcomesOf, type Caller, type Known, type SmallWorld } from './oracle.js';
import type { Sender, Way } from './walk/way.js';

/** More of them by the environment: WORLDS=10000. */
const WORLDS = Number(process.env['WORLDS'] ?? 1_000);
const PACKETS = 4;
const MODES: readonly ProxyMode[] = ['iptables', 'ipvs', 'nftables'];
const NODES = ['n2', 'n3', 'n4'];
const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'kube-system', name: 'kube-proxy' } };

const SERVICE_CIDR = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'kubernetes' } };

const nodes: readonly Node[] = NODES.map((name, i) =>
  node(
    { addresses: [{ type: 'InternalIP', address: `172.18.0.${i + 2}` }] },
    { metadata: { name }, spec: { podCIDR: `10.244.${i + 2}.0/24` } },
  ),
);

interface World extends SmallWorld {
  readonly state: State;
}

function makeWorld(random: SeededRandom, mode: ProxyMode): World {
  const pods = Array.from({ length: 2 + random.below(5) }, (_, i) => podOn(2 + random.below(3), i));
  const before = makeKnown(random, pods);
  const after = random.below(2) ? before : makeKnown(random, pods);
  const config = { ...CONFIG, data: { 'config.conf': `clusterCIDR: 10.244.0.0/16\nmode: ${mode}\n` } };
  const state = stateOf(...nodes, ...pods, ...before.services, ...before.slices);
  put(state, ConfigMaps, config);
  put(state, ServiceCIDRs, { ...SERVICE_CIDR, spec: { cidrs: ['10.96.0.0/16'] } } as KubeObject);
  const snapshot = takeSnapshot(clientOf(state));
  if (after !== before) replace(state, before, after);
  const down = NODES.filter(() => random.below(4) === 0);
  for (const name of down)
    put(state, ProxyRuntimes, { apiVersion: '', kind: 'ProxyRuntime', metadata: { name }, snapshot } as KubeObject);
  const known = Object.fromEntries(NODES.map((name) => [name, down.includes(name) ? before : after]));
  return { mode, state, nodes, pods, known };
}

function podOn(network: number, i: number): Pod {
  const name = `p${i}`;
  const status = { podIP: `10.244.${network}.${i + 2}`, hostIP: `172.18.0.${network}` };
  return pod({ nodeName: `n${network}` }, status, { name, uid: name });
}

function put(state: State, kind: Kind, object: KubeObject): void {
  state.put(state.resourceOf(kind), { ...object, metadata: { ...object.metadata } }, 'test', 0);
}

function replace(state: State, before: Known, after: Known): void {
  const keyOf = ({ metadata }: KubeObject): { namespace: string; name: string } => ({
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
  });
  for (const old of before.services) state.remove(state.resourceOf(Services), keyOf(old), 'test', 0);
  for (const old of before.slices) state.remove(state.resourceOf(EndpointSlices), keyOf(old), 'test', 0);
  for (const next of after.services) put(state, Services, next);
  for (const next of after.slices) put(state, EndpointSlices, next);
}

function makeKnown(random: SeededRandom, pods: readonly Pod[]): Known {
  const made = Array.from({ length: 1 + random.below(4) }, (_, i) => makeService(random, i));
  return { services: made, slices: made.map((one) => makeSlice(random, one, pods)) };
}

function makeService(random: SeededRandom, i: number): Service {
  const chance = (n: number): boolean => random.below(n) === 0;
  const type = ['ClusterIP', 'NodePort', 'LoadBalancer'][random.below(3)]!;
  const isOpen = type !== 'ClusterIP';
  return service(
    `shop/s${i}`,
    {
      type,
      clusterIP: `10.96.0.${i + 1}`,
      ...(chance(3) ? { externalIPs: [`192.0.2.${i + 1}`] } : {}),
      ...(isOpen && chance(2) ? { externalTrafficPolicy: 'Local' } : {}),
      ...(chance(4) ? { internalTrafficPolicy: 'Local' } : {}),
      ...(chance(3) ? { sessionAffinity: 'ClientIP' } : {}),
      ...(type === 'LoadBalancer' && chance(2) ? { loadBalancerSourceRanges: ['198.0.0.0/8'] } : {}),
      ports: [80, 443].map((port, n) => ({
        name: `p${port}`,
        port,
        protocol: 'TCP',
        ...(isOpen ? { nodePort: 30_000 + 2 * i + n } : {}),
      })),
    },
    { loadBalancer: type === 'LoadBalancer' ? { ingress: [{ ip: `203.0.113.${i + 1}` }] } : {} },
  );
}

function makeSlice(random: SeededRandom, { metadata, spec }: Service, pods: readonly Pod[]): EndpointSlice {
  const conditions = [
    { ready: true, serving: true, terminating: false },
    { ready: false, serving: false, terminating: false },
    { ready: false, serving: true, terminating: true },
  ];
  const own = pods.filter(() => random.below(2));
  const gone = random.below(6) === 0 ? [podOn(2 + random.below(3), 90)] : [];
  const endpoints = [...own, ...gone].map(({ status, spec: { nodeName } }): Endpoint =>
    endpointAt(`${status.podIP}@${nodeName}`, { conditions: conditions[random.below(3)]! }),
  );
  const ports = spec.ports!.map(({ name, port }) => ({ name, port: port + 8_000, protocol: 'TCP' }));
  return slice(`shop/${metadata.name}`, endpoints, ports);
}

function pickCaller(random: SeededRandom, { pods }: World): readonly [Caller, Sender] {
  const kind = random.below(3);
  const home = nodes[random.below(nodes.length)]!;
  const [name, ip] = [home.metadata.name!, home.status.addresses![0]!.address];
  if (kind === 0) return [{ kind: 'node', ip, at: name }, { node: home }];
  if (kind === 1) return [{ kind: 'outside', ip: '198.51.100.1', at: name }, { outside: '198.51.100.1' }];
  const from = pods[random.below(pods.length)]!;
  return [{ kind: 'pod', ip: from.status.podIP!, at: from.spec.nodeName! }, { pod: from }];
}

function pickAddress(random: SeededRandom, { pods }: World, caller: Caller): readonly [string, number] {
  const own = nodes.find(({ metadata }) => metadata.name === caller.at)!.status.addresses![0]!.address;
  const nodePort = 30_000 + random.below(8);
  // What comes from outside knows the nodes only.
  if (caller.kind === 'outside') return [own, nodePort];
  const i = 1 + random.below(4);
  const port = [80, 443, 81][random.below(3)]!;
  const any = nodes[random.below(3)]!.status.addresses![0]!.address;
  const choices: readonly (readonly [string, number])[] = [
    [`10.96.0.${i}`, port],
    [`10.96.0.${i}`, port],
    [`203.0.113.${i}`, port],
    [`192.0.2.${i}`, port],
    [any, nodePort],
    [own, nodePort],
    [pods[random.below(pods.length)]!.status.podIP!, port],
    ['10.244.3.200', port],
  ];
  return choices[random.below(choices.length)]!;
}

function textOf({ end, source }: Way): string {
  if ('error' in end) return end.error;
  if ('outside' in end) return 'outside';
  return `${'pod' in end ? end.pod.metadata.name : end.node.metadata.name}:${end.port} from ${source}`;
}

test(`in ${WORLDS} worlds, what the walk does is what it should do`, () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < WORLDS; seed++) {
    const random = new SeededRandom(seed);
    const world = makeWorld(random, MODES[seed % MODES.length]!);
    const network = new ClusterNetwork(world.state);
    for (let i = 0; i < PACKETS; i++) {
      const [caller, from] = pickCaller(random, world);
      const [address, port] = pickAddress(random, world, caller);
      const expected = outcomesOf(world, caller, address, port);
      const way = textOf(network.send(from, { address, port, protocol: 'tcp' }, random.below(60_000), NOW));
      seen.add(way.replace(/:.*/, ''));
      if (!expected.has(way)) expect({ seed, mode: world.mode, caller, address, port, way }).toEqual([...expected]);
    }
  }
  for (const one of ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'p0', 'n2', 'outside']) expect(seen).toContain(one);
});

const HOOKS = ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'] as const;

const readRules = (rules: Ruleset): Saved => ({
  iptables: readSave(saveRuleset(rules, '1.8.9', 'now')),
  sets: readSets([...(rules.sets?.values() ?? [])].map(saveSet).join('')),
  nft: rules.nft && readNft(listNftTable(rules.nft)),
});

test('what a node prints is what is walked there', () => {
  const host: Host = {
    isLocal: (address) => address === '172.18.0.2',
    random: ({ sourcePort }, n) => ((sourcePort * 31 + n * 17) % 97) / 97,
    isRecent: (_name, { sourcePort }, seconds, lists) => sourcePort % 2 === 0 && seconds > 0 && lists.length > 1,
    masqueradeAs: () => '172.18.0.2',
  };
  for (let seed = 0; seed < WORLDS / 20; seed++) {
    const random = new SeededRandom(seed);
    const world = makeWorld(random, MODES[seed % MODES.length]!);
    const rules = new ClusterNetwork(world.state).rulesOf(nodes[0]!, NOW);
    const saved = readRules(rules);
    for (let i = 0; i < 10; i++) {
      const [caller] = pickCaller(random, world);
      const [destination, destinationPort] = pickAddress(random, world, { ...caller, at: 'n2' });
      const virtual = rules.ipvs?.find({ protocol: 'tcp', destination, destinationPort });
      const packet: Packet = {
        ...{ source: caller.ip, destination, destinationPort, protocol: 'tcp', state: 'NEW' },
        ...{ sourcePort: random.below(60_000), mark: random.below(2) * 0x4000 },
        ...(virtual && random.below(2) ? { virtual } : {}),
      };
      for (const hook of HOOKS) {
        const isTranslated = random.below(4) === 0;
        const walk = walkHook(rules, hook, packet, host, isTranslated ? 'nat' : undefined);
        const { source, destination: to, destinationPort: port, mark } = walk.packet;
        expect([seed, i, hook, { verdict: walk.verdict.type, packet: `${source} > ${to}:${port} ${mark}` }]).toEqual([
          ...[seed, i, hook],
          judgeSaved(saved, hook, packet, host, isTranslated),
        ]);
      }
    }
  }
});

test('ipvsadm prints the virtual servers that packets find', () => {
  for (let seed = 0; seed < WORLDS / 20; seed++) {
    const random = new SeededRandom(seed);
    const world = makeWorld(random, 'ipvs');
    const { ipvs } = new ClusterNetwork(world.state).rulesOf(nodes[0]!, NOW);
    const saved = saveVirtualServers(ipvs).split('\n');
    for (let i = 0; i < 10; i++) {
      const [caller] = pickCaller(random, world);
      const [destination, destinationPort] = pickAddress(random, world, { ...caller, at: 'n2' });
      const at = `-t ${destination}:${destinationPort}`;
      const found = ipvs?.find({ protocol: 'tcp', destination, destinationPort });
      expect(saved.filter((line) => line.startsWith(`-A ${at} `))).toHaveLength(found ? 1 : 0);
      expect(saved.filter((line) => line.startsWith(`-a ${at} `))).toEqual(
        (found?.servers ?? []).map((one) => `-a ${at} -r ${one.address}:${one.port} -m -w 1`),
      );
    }
  }
});
