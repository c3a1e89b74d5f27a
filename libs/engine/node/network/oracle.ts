/**
 * What should become of a connection, for the specs: from Services and endpoints alone, without rules, chains or marks.
 * An answer is one of several where the choice is random.
 */
import type { Node, Pod, Service } from '../../api/core_v1.js';
import type { Endpoint, EndpointSlice } from '../../api/discovery_v1.js';

export interface Known {
  readonly services: readonly Service[];
  readonly slices: readonly EndpointSlice[];
}

export interface SmallWorld {
  readonly mode: 'iptables' | 'ipvs' | 'nftables';
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** By node: what its proxy knows. */
  readonly known: Readonly<Record<string, Known>>;
}

/** `at`: the node that it comes to first. */
export interface Caller {
  readonly kind: 'pod' | 'node' | 'outside';
  readonly ip: string;
  readonly at: string;
}

interface Wanted {
  readonly service: Service;
  readonly portName: string;
  readonly by: 'cluster' | 'vip' | 'other';
  /** The address is a cluster IP or the node's own. */
  readonly isInside: boolean;
}

/** 'pod:port from source', or the error that the caller gets. */
export function outcomesOf(world: SmallWorld, caller: Caller, address: string, port: number): ReadonlySet<string> {
  const found = find(world, caller.at, address, port);
  if (found) return new Set(world.mode === 'ipvs' ? balanced(world, caller, found) : translated(world, caller, found));
  if (isClosed(world, caller.at, address)) return new Set(['ECONNREFUSED']);
  const home = world.nodes.find((node) => ipOf(node) === address);
  if (home && nameOf(home) !== caller.at) {
    // The other node sees this one: what leaves for a node is masqueraded.
    const masked: Caller = { kind: 'outside', ip: ipOfNode(world, caller.at), at: nameOf(home) };
    return outcomesOf(world, masked, address, port);
  }
  if (home) return new Set([`${nameOf(home)}:${port} from ${caller.ip}`]);
  return new Set([direct(world, address, port, caller.ip)]);
}

/** A port of a Service's address that is none of the Service's: nftables knows cluster IPs, IPVS all addresses. */
function isClosed({ known, mode }: SmallWorld, at: string, address: string): boolean {
  return known[at]!.services.some(({ spec, status }) => {
    const vips = status.loadBalancer?.ingress?.map(({ ip }) => ip) ?? [];
    const isOther = spec.externalIPs?.includes(address) || vips.includes(address);
    return mode !== 'iptables' && (spec.clusterIP === address || (mode === 'ipvs' && isOther));
  });
}

function direct(world: SmallWorld, address: string, port: number, source: string): string {
  const pod = world.pods.find(({ status }) => status.podIP === address);
  if (pod) return `${pod.metadata.name}:${port} from ${source}`;
  if (address.startsWith('10.244.')) return 'EHOSTUNREACH';
  return address.startsWith('10.96.') ? 'ETIMEDOUT' : 'outside';
}

function find({ known, nodes }: SmallWorld, at: string, address: string, port: number): Wanted | undefined {
  const isOwnNode = nodes.some((node) => nameOf(node) === at && ipOf(node) === address);
  for (const service of known[at]!.services) {
    const { spec, status } = service;
    const vips = status.loadBalancer?.ingress?.map(({ ip }) => ip) ?? [];
    for (const { name: portName = '', port: own, nodePort } of spec.ports ?? []) {
      const by = (kind: Wanted['by'], isInside = false): Wanted => ({ service, portName, by: kind, isInside });
      if (own === port && spec.clusterIP === address) return by('cluster', true);
      if (own === port && spec.externalIPs?.includes(address)) return by('other');
      if (own === port && vips.includes(address)) return by('vip');
      if (nodePort === port && isOwnNode) return by('other', true);
    }
  }
  return undefined;
}

/** By the rules of iptables or nftables. */
function translated(world: SmallWorld, caller: Caller, wanted: Wanted): string[] {
  const { service, portName, by } = wanted;
  const { spec } = service;
  const all = usable(endpointsOf(world.known[caller.at]!, service));
  const here = usable(endpointsOf(world.known[caller.at]!, service).filter(({ nodeName }) => nodeName === caller.at));
  const isShut = by === 'vip' && !isLetIn(spec.loadBalancerSourceRanges ?? [], caller.ip);
  if (isShut && world.mode === 'nftables') return ['ETIMEDOUT'];
  // Nothing of iptables keeps a node itself from looking for an address outside that no endpoint stands behind.
  const isUnseen = world.mode === 'iptables' && caller.kind === 'node' && !wanted.isInside;
  if (all.length === 0) return [isUnseen ? 'outside' : 'ECONNREFUSED'];
  const isLocal = by === 'cluster' ? spec.internalTrafficPolicy === 'Local' : spec.externalTrafficPolicy === 'Local';
  const isFromHere = by !== 'cluster' && (caller.kind !== 'outside' || isPodAddress(caller.ip));
  if (isShut) return ['ETIMEDOUT'];
  const pool = isLocal && !isFromHere ? here : all;
  if (pool.length === 0) return ['ETIMEDOUT'];
  const isMasked = by === 'cluster' ? !isPodAddress(caller.ip) : !isLocal || caller.kind === 'node';
  return pool.map((endpoint) => reach(world, caller, endpoint, portName, service, isMasked));
}

/**
 * By a virtual server: a Local policy means all callers, takes the endpoints elsewhere where none is here, and then
 * answers find the way back only to who is behind this node.
 */
function balanced(world: SmallWorld, caller: Caller, { service, portName, by, isInside }: Wanted): string[] {
  const { spec } = service;
  const endpoints = endpointsOf(world.known[caller.at]!, service);
  const here = usable(endpoints.filter(({ nodeName }) => nodeName === caller.at));
  const isLocal = by === 'cluster' ? spec.internalTrafficPolicy === 'Local' : spec.externalTrafficPolicy === 'Local';
  const usesAll = spec.internalTrafficPolicy !== 'Local' || spec.type !== 'ClusterIP' || spec.externalIPs !== undefined;
  const pool = isLocal && here.length > 0 ? here : usesAll ? usable(endpoints) : [];
  const isShut = by === 'vip' && !isLetIn(spec.loadBalancerSourceRanges ?? [], caller.ip);
  // The node's own packets meet the virtual server first, and what it is shut by later.
  if (isShut && (caller.kind !== 'node' || pool.length > 0)) return ['ETIMEDOUT'];
  if (pool.length === 0) return ['ECONNREFUSED'];
  const isMasked = by === 'cluster' ? !isPodAddress(caller.ip) : !isLocal;
  // An address that a node has itself is where its packets to it come from.
  const isForeign = caller.kind === 'node' && by !== 'cluster' && !isInside;
  const seen = isForeign ? { ...caller, ip: addressOf(service, by) } : caller;
  const comesBack = isMasked || caller.kind === 'pod' || (caller.kind === 'node' && !isForeign);
  return pool.map((endpoint) => {
    const way = reach(world, seen, endpoint, portName, service, isMasked);
    return comesBack || endpoint.nodeName === caller.at || way.startsWith('E') ? way : 'ETIMEDOUT';
  });
}

const addressOf = ({ spec, status }: Service, by: Wanted['by']): string =>
  (by === 'vip' ? status.loadBalancer?.ingress?.[0]?.ip : spec.externalIPs?.[0]) ?? '';

function reach(
  world: SmallWorld,
  caller: Caller,
  endpoint: Endpoint,
  portName: string,
  service: Service,
  isMasked: boolean,
): string {
  const ip = endpoint.addresses[0]!;
  const port = portOf(world.known[caller.at]!, service, portName);
  const node = world.nodes.find((one) => nameOf(one) === caller.at)!;
  const isNear = ip.startsWith(`${node.spec?.podCIDR?.split('.').slice(0, 3).join('.')}.`);
  const mask = isNear ? `${ip.split('.').slice(0, 3).join('.')}.1` : ipOf(node);
  return direct(world, ip, port, isMasked || ip === caller.ip ? mask : caller.ip);
}

const slicesOf = ({ slices }: Known, { metadata }: Service): EndpointSlice[] =>
  slices.filter((one) => one.metadata.namespace === metadata.namespace && one.metadata.name === `${metadata.name}-abc`);

const endpointsOf = (known: Known, service: Service): Endpoint[] =>
  slicesOf(known, service).flatMap(({ endpoints }) => endpoints ?? []);

const portOf = (known: Known, service: Service, portName: string): number =>
  (slicesOf(known, service)[0]!.ports as { name?: string; port?: number }[]).find(({ name }) => name === portName)!
    .port!;

/** Those that are ready; else those that still serve while they end. */
function usable(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const ready = endpoints.filter(({ conditions }) => conditions?.ready);
  return ready.length > 0 ? ready : endpoints.filter(({ conditions }) => conditions?.serving && conditions.terminating);
}

const isLetIn = (ranges: readonly string[], ip: string): boolean =>
  ranges.length === 0 || ranges.some((range) => ip.startsWith(range.slice(0, range.indexOf('.') + 1)));

const isPodAddress = (ip: string): boolean => ip.startsWith('10.244.');
const nameOf = ({ metadata }: Node): string => metadata.name ?? '';
const ipOf = ({ status }: Node): string => status.addresses?.[0]?.address ?? '';
const ipOfNode = ({ nodes }: SmallWorld, name: string): string => ipOf(nodes.find((node) => nameOf(node) === name)!);
