import { isInPrefix, prefixOf, type AddressSet, type Packet, type SetType } from '../../../kernel/netfilter/index.js';
import type { ProxyNode } from '../topology.js';
import type { IpvsPort } from './port.js';

/** What a proxy knows of its Services: all of them, or those with something at an address or port. */
export interface KnownPorts {
  readonly node: ProxyNode;
  /** The addresses of the node that node ports are at. */
  readonly nodeIPs: readonly string[];
  all(): readonly IpvsPort[];
  at(address: string, port: number): readonly IpvsPort[];
  /** Addresses that the dummy interface has. */
  bound(): readonly string[];
  isBound(address: string): boolean;
}

interface SetSpec {
  readonly name: string;
  readonly type: SetType;
  /** What kube-proxy writes into its rules of the set. */
  readonly comment: string;
  /** What a port adds. */
  members(one: IpvsPort, known: KnownPorts): readonly string[];
}

const spec = (name: string, type: SetType, comment: string, members: SetSpec['members']): SetSpec => ({
  ...{ name, type, comment: `Kubernetes ${comment}`, members },
});

const at = (address: string, { port: { protocol, port } }: IpvsPort): string => `${address},${protocol}:${port}`;
const hasRanges = ({ port }: IpvsPort): boolean => port.sourceRanges.length > 0;
const nodePortOf = (one: IpvsPort, protocol: string, onlyLocal: boolean): string[] => {
  const { port } = one;
  const isWanted = port.protocol === protocol && port.nodePort !== 0 && (!onlyLocal || port.isExternalLocal);
  return isWanted ? [String(port.nodePort)] : [];
};
const sctpNodePorts = (one: IpvsPort, { nodeIPs }: KnownPorts, onlyLocal: boolean): string[] =>
  nodePortOf(one, 'sctp', onlyLocal).flatMap((port) => nodeIPs.map((ip) => `${ip},sctp:${port}`));

/** Whether the node itself is among those that a load balancer's address is for. */
export const isNodeAllowed = ({ port }: IpvsPort, { ip }: ProxyNode): boolean =>
  port.sourceRanges.some((range) => isInPrefix(prefixOf(range), ip));

/** Models ipsetInfo of pkg/proxy/ipvs/proxier.go. */
export const SETS: readonly SetSpec[] = [
  spec(
    'KUBE-LOOP-BACK',
    'hash:ip,port,ip',
    'endpoints dst ip:port, source ip for solving hairpin purpose',
    ({ port: { protocol }, endpoints }, { node }) =>
      endpoints.flatMap(({ ip, port, nodeName }) =>
        nodeName === node.name ? [`${ip},${protocol}:${port},${ip}`] : [],
      ),
  ),
  spec('KUBE-CLUSTER-IP', 'hash:ip,port', 'service cluster ip + port for masquerade purpose', (one) => [
    at(one.port.clusterIP, one),
  ]),
  spec('KUBE-EXTERNAL-IP', 'hash:ip,port', 'service external ip + port for masquerade and filter purpose', (one) =>
    one.port.isExternalLocal ? [] : one.port.externalIPs.map((ip) => at(ip, one)),
  ),
  spec('KUBE-EXTERNAL-IP-LOCAL', 'hash:ip,port', 'service external ip + port with externalTrafficPolicy=local', (one) =>
    one.port.isExternalLocal ? one.port.externalIPs.map((ip) => at(ip, one)) : [],
  ),
  spec('KUBE-LOAD-BALANCER', 'hash:ip,port', 'service lb portal', (one) => one.port.vips.map((ip) => at(ip, one))),
  spec(
    'KUBE-LOAD-BALANCER-FW',
    'hash:ip,port',
    'service load balancer ip + port for load balancer with sourceRange',
    (one) => (hasRanges(one) ? one.port.vips.map((ip) => at(ip, one)) : []),
  ),
  spec(
    'KUBE-LOAD-BALANCER-LOCAL',
    'hash:ip,port',
    'service load balancer ip + port with externalTrafficPolicy=local',
    (one) => (one.port.isExternalLocal ? one.port.vips.map((ip) => at(ip, one)) : []),
  ),
  spec(
    'KUBE-LOAD-BALANCER-SOURCE-IP',
    'hash:ip,port,ip',
    'service load balancer ip + port + source IP for packet filter purpose',
    (one, { node }) => (isNodeAllowed(one, node) ? one.port.vips.map((ip) => `${at(ip, one)},${ip}`) : []),
  ),
  spec(
    'KUBE-LOAD-BALANCER-SOURCE-CIDR',
    'hash:ip,port,net',
    'service load balancer ip + port + source cidr for packet filter purpose',
    (one) => one.port.vips.flatMap((ip) => one.port.sourceRanges.map((range) => `${at(ip, one)},${range}`)),
  ),
  spec('KUBE-NODE-PORT-TCP', 'bitmap:port', 'nodeport TCP port for masquerade purpose', (one) =>
    nodePortOf(one, 'tcp', false),
  ),
  spec('KUBE-NODE-PORT-LOCAL-TCP', 'bitmap:port', 'nodeport TCP port with externalTrafficPolicy=local', (one) =>
    nodePortOf(one, 'tcp', true),
  ),
  spec('KUBE-NODE-PORT-UDP', 'bitmap:port', 'nodeport UDP port for masquerade purpose', (one) =>
    nodePortOf(one, 'udp', false),
  ),
  spec('KUBE-NODE-PORT-LOCAL-UDP', 'bitmap:port', 'nodeport UDP port with externalTrafficPolicy=local', (one) =>
    nodePortOf(one, 'udp', true),
  ),
  spec(
    'KUBE-NODE-PORT-SCTP-HASH',
    'hash:ip,port',
    "nodeport SCTP port for masquerade purpose with type 'hash ip:port'",
    (one, known) => sctpNodePorts(one, known, false),
  ),
  spec(
    'KUBE-NODE-PORT-LOCAL-SCTP-HASH',
    'hash:ip,port',
    "nodeport SCTP port with externalTrafficPolicy=local with type 'hash ip:port'",
    (one, known) => sctpNodePorts(one, known, true),
  ),
  spec('KUBE-HEALTH-CHECK-NODE-PORT', 'bitmap:port', 'health check node port', ({ port: { healthCheckNodePort } }) =>
    healthCheckNodePort === 0 ? [] : [String(healthCheckNodePort)],
  ),
];

/** Of the rules that match a set. */
export const COMMENTS: ReadonlyMap<string, string> = new Map(SETS.map(({ name, comment }) => [name, comment]));

const LOOP_BACK = 'KUBE-LOOP-BACK';
export const IPVS_IPS = 'KUBE-IPVS-IPS';

/** The sets of a node; a packet is looked for among the members of its own address and port only. */
export function makeSets(known: KnownPorts): ReadonlyMap<string, AddressSet> {
  const sets = SETS.map((one): AddressSet => {
    const membersOf = (ports: readonly IpvsPort[]): string[] => [
      ...new Set(ports.flatMap((port) => one.members(port, known))),
    ];
    const members = (): string[] => membersOf(known.all());
    const select = ({ source, destination, destinationPort }: Packet): string[] => {
      // Its members are endpoints that speak to themselves.
      if (one.name === LOOP_BACK) return source === destination ? members() : [];
      return membersOf(known.at(destination, destinationPort));
    };
    return { name: one.name, type: one.type, members, select };
  });
  const bound: AddressSet = {
    ...{ name: IPVS_IPS, type: 'hash:ip', members: () => known.bound() },
    select: ({ destination }) => (known.isBound(destination) ? [destination] : []),
  };
  return new Map([...sets, bound].map((set) => [set.name, set]));
}
