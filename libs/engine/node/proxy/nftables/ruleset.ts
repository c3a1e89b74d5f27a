import {
  tableOf,
  type NftChain,
  type NftElement,
  type NftMap,
  type NftSet,
  type NftTable,
  type Ruleset,
} from '../../../kernel/netfilter/index.js';
import { chainsOf, type OtherRules } from '../chains.js';
import { KUBELET_FILTER, KUBELET_FILTER_6, KUBELET_MANGLE, KUBELET_NAT } from '../kubelet-rules.js';
import type { ServiceTable } from '../service-table.js';
import type { ProxyView } from '../view.js';
import { BASE_CHAINS, fixedChains } from './fixed-chains.js';
import { serviceChains, type ServiceChains } from './service-chains.js';

type Part = 'serviceIPs' | 'serviceNodePorts' | 'noEndpointServices' | 'noEndpointNodePorts' | 'firewallIPs';

const SERVICE_KEY = 'ipv4_addr . inet_proto . inet_service';
const NODE_PORT_KEY = 'inet_proto . inet_service';
/** In the order in which kube-proxy makes them. */
const MAPS: readonly (readonly [name: string, part: Part, keyType: string, comment: string])[] = [
  [
    'no-endpoint-services',
    'noEndpointServices',
    SERVICE_KEY,
    'vmap to drop or reject packets to services with no endpoints',
  ],
  [
    ...(['no-endpoint-nodeports', 'noEndpointNodePorts', NODE_PORT_KEY] as const),
    'vmap to drop or reject packets to service nodeports with no endpoints',
  ],
  ['firewall-ips', 'firewallIPs', SERVICE_KEY, 'destinations that are subject to LoadBalancerSourceRanges'],
  ['service-ips', 'serviceIPs', SERVICE_KEY, 'ClusterIP, ExternalIP and LoadBalancer IP traffic'],
  ['service-nodeports', 'serviceNodePorts', NODE_PORT_KEY, 'NodePort traffic'],
];

/** What a node holds in mode nftables: others' tables of iptables, and kube-proxy's own. Models pkg/proxy/nftables. */
export function nftablesRuleset(view: ProxyView, others: OtherRules = {}): Ruleset {
  const tables = [
    tableOf('mangle', chainsOf(others.mangle, KUBELET_MANGLE)),
    tableOf('filter', chainsOf(others.filter, view.isSixth ? KUBELET_FILTER_6 : KUBELET_FILTER)),
    tableOf('nat', chainsOf(others.nat, KUBELET_NAT)),
  ];
  return { tables, ...(view.services ? { nft: proxyTable(view, view.services) } : {}) };
}

/** The table `kube-proxy`: each map has an index by address and port, and each chain is made when it is asked for. */
function proxyTable(view: ProxyView, services: ServiceTable): NftTable {
  const { node, settings, at, serviceCIDRs = [] } = view;
  const of = (key: string): readonly ServiceChains[] => services.rules(serviceChains, key, node, settings, at);
  const fixed = new Map([...BASE_CHAINS, ...fixedChains(serviceCIDRs)].map((chain) => [chain.name, chain]));
  const maps = new Map(MAPS.map(([name, ...rest]) => [name, makeMap(services, of, name, ...rest)]));
  const sets = new Map([clusterIPs(services, of), nodePortIPs(node.ip)].map((set) => [set.name, set]));
  return {
    family: view.isSixth ? 'ip6' : 'ip',
    name: 'kube-proxy',
    comment: 'rules for kube-proxy',
    bases: BASE_CHAINS,
    set: (name) => sets.get(name) ?? affinitySets(services, of).find((set) => set.name === name),
    map: (name) => maps.get(name),
    chain: (name) => fixed.get(name) ?? ownChain(services, of, name),
    collections: () => [...sets.values(), ...maps.values(), ...affinitySets(services, of)],
    chains: () => [...fixed.values(), ...services.keys().flatMap((key) => of(key).flatMap(chainsIn))],
  };
}

type Of = (key: string) => readonly ServiceChains[];

function makeMap(services: ServiceTable, of: Of, name: string, part: Part, keyType: string, comment: string): NftMap {
  const elementsOf = (keys: readonly string[]): NftElement[] =>
    keys.flatMap((key) => of(key).flatMap((chains) => chains[part]));
  return {
    ...{ name, keyType, comment },
    elements: () => elementsOf(services.keys()),
    find({ destination, destinationPort, protocol }) {
      const at = `${protocol} . ${destinationPort}`;
      const wanted = keyType === SERVICE_KEY ? `${destination} . ${at}` : at;
      return elementsOf(services.keysAt(destination, destinationPort)).find(({ key }) => key === wanted);
    },
  };
}

function clusterIPs(services: ServiceTable, of: Of): NftSet {
  const addresses = (): string[] => services.keys().flatMap((key) => of(key).map(({ clusterIP }) => clusterIP));
  return {
    name: 'cluster-ips',
    comment: 'Active ClusterIPs',
    elements: () => [...new Set(addresses())],
    has: (address) =>
      services.keysAt(address, 0).some((key) => services.ports(key).some(({ clusterIP }) => clusterIP === address)),
  };
}

const nodePortIPs = (ip: string): NftSet => ({
  name: 'nodeport-ips',
  comment: 'IPs that accept NodePort traffic',
  elements: () => [ip],
  has: (address) => address === ip,
});

const affinitySets = (services: ServiceTable, of: Of): NftSet[] =>
  services
    .keys()
    .flatMap((key) => of(key).flatMap(({ affinity }) => [...affinity]))
    .map(([name, timeout]) => ({ name, timeout, elements: () => [], has: () => false }));

const chainsIn = ({ chains }: ServiceChains): NftChain[] => [...chains].map(([name, rules]) => ({ name, rules }));

function ownChain(services: ServiceTable, of: Of, name: string): NftChain | undefined {
  const key = services.ownerOf(name);
  if (key === undefined) return undefined;
  for (const { chains } of of(key)) {
    const rules = chains.get(name);
    if (rules) return { name, rules };
  }
  return undefined;
}
