import {
  prefixOf,
  tableOf,
  type AddressSet,
  type Chain,
  type Packet,
  type Rule,
  type Ruleset,
  type TableName,
} from '../../../kernel/netfilter/index.js';
import { chainsOf, type OtherRules, type Rules } from '../chains.js';
import { KUBELET_FILTER, KUBELET_FILTER_6, KUBELET_MANGLE, KUBELET_NAT } from '../kubelet-rules.js';
import type { ServiceTable } from '../service-table.js';
import type { ProxyView } from '../view.js';
import { ipvsPort, type IpvsPort } from './port.js';
import { fixedRules, writtenRules, type SetRule } from './rules.js';
import { sixthRules, sixthSets } from './sixth.js';
import { compareAddresses, virtualServers } from './servers.js';
import { isNodeAllowed, makeSets, type KnownPorts } from './sets.js';

const OUT_FILTER = 'KUBE-IPVS-OUT-FILTER';

/**
 * What a node holds in mode ipvs: virtual servers, sets of addresses, and the few rules that match these. Models
 * pkg/proxy/ipvs.
 */
export function ipvsRuleset(view: ProxyView, others: OtherRules = {}): Ruleset {
  const filter = view.isSixth ? KUBELET_FILTER_6 : KUBELET_FILTER;
  const kubelet = { mangle: KUBELET_MANGLE, filter, nat: KUBELET_NAT };
  const { services, settings } = view;
  if (!services)
    return {
      tables: (['mangle', 'filter', 'nat'] as const).map((name) => merge(name, [], others[name], kubelet[name])),
    };
  const known = knownPorts(view, services);
  const sets = view.isSixth ? sixthSets(makeSets(known)) : makeSets(known);
  const own = view.isSixth ? sixthRules(fixedRules(settings)) : fixedRules(settings);
  const chains = (rules: Readonly<Record<string, SetRule[]>>): Chain[] =>
    Object.entries(rules).map(([name, all]) => setChain(name, all, sets));
  return {
    tables: [
      merge('mangle', [], others.mangle, kubelet.mangle),
      merge('filter', [...chains(own.filter), outFilter(known)], others.filter, kubelet.filter),
      merge('nat', chains(own.nat), others.nat, kubelet.nat),
    ],
    sets,
    ipvs: virtualServers(known, settings.scheduler),
  };
}

/** kube-proxy puts its jumps before those that are there. */
function merge(name: TableName, own: readonly Chain[], ...rest: (Rules | undefined)[]): Ruleset['tables'][number] {
  const byName = new Map(own.map((chain) => [chain.name, chain]));
  for (const chain of chainsOf(...rest)) {
    const first = byName.get(chain.name);
    byName.set(chain.name, first ? joinChains(first, chain) : chain);
  }
  return tableOf(name, [...byName.values()]);
}

const joinChains = (first: Chain, second: Chain): Chain => ({
  name: first.name,
  rules: () => [...first.rules(), ...second.rules()],
  select: (packet) => [...(first.select?.(packet) ?? first.rules()), ...second.rules()],
});

/** The walk need not know which sets are empty: nothing is in them. */
function setChain(name: string, rules: readonly SetRule[], sets: ReadonlyMap<string, AddressSet>): Chain {
  const all = rules.map(({ rule }) => rule);
  return { name, rules: () => writtenRules(rules, sets), select: () => all };
}

/** Keeps the node from load balancers that are not for it: what it sends itself does not come in. */
function outFilter(known: KnownPorts): Chain {
  const of = (ports: readonly IpvsPort[]): Rule[] => ports.flatMap((one) => dropsOf(one, known));
  return {
    name: OUT_FILTER,
    rules: () => of(known.all()),
    select: ({ virtual }: Packet) => (virtual ? of(known.at(virtual.address, virtual.port)) : []),
  };
}

function dropsOf(one: IpvsPort, { node }: KnownPorts): Rule[] {
  const { vips, sourceRanges, protocol, port } = one.port;
  if (sourceRanges.length === 0 || isNodeAllowed(one, node)) return [];
  return vips.map((address) => ({
    source: { prefix: prefixOf(address) },
    matches: [{ type: 'ipvs', address, protocol, port }],
    target: { type: 'DROP' },
  }));
}

function knownPorts({ node, settings, at }: ProxyView, services: ServiceTable): KnownPorts {
  const of = (keys: readonly string[]): IpvsPort[] =>
    keys.flatMap((key) => services.rules(ipvsPort, key, node, settings, at));
  const nodeIPs = node.gateway === undefined ? [node.ip] : [node.ip, node.gateway];
  // A packet is looked for in every set.
  let last: { readonly keys: readonly string[]; readonly ports: readonly IpvsPort[] } | undefined;
  const isBound = (address: string): boolean => services.hasAddress(address) && !nodeIPs.includes(address);
  return {
    ...{ node, nodeIPs, isBound },
    all: () => of(services.keys()),
    at(address, port) {
      const keys = services.keysAt(address, port);
      if (last?.keys !== keys) last = { keys, ports: of(keys) };
      return last.ports;
    },
    bound: () => services.addresses().filter(isBound).sort(compareAddresses),
  };
}
