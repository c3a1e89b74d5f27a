import {
  isInPrefix,
  prefixOf,
  type NftElement,
  type NftRule,
  type NftStatement,
  type NftVerdict,
} from '../../../kernel/netfilter/index.js';
import type { ProxyEndpoint } from '../endpoints.js';
import {
  isExternallyAccessible,
  usesClusterEndpoints,
  usesLocalEndpoints,
  type ServicePortInfo,
} from '../service-port.js';
import type { ProxySettings } from '../settings.js';
import { categorize, type Categories, type ProxyNode } from '../topology.js';
import { goTo, jump, MARK_CHAIN, REJECT_CHAIN } from './fixed-chains.js';
import { endpointBase, portBase } from './names.js';

/** What a port of a Service adds to the maps of all, and what is its own. */
export interface ServiceChains {
  readonly clusterIP: string;
  readonly serviceIPs: readonly NftElement[];
  readonly serviceNodePorts: readonly NftElement[];
  readonly noEndpointServices: readonly NftElement[];
  readonly noEndpointNodePorts: readonly NftElement[];
  readonly firewallIPs: readonly NftElement[];
  readonly chains: ReadonlyMap<string, readonly NftRule[]>;
  /** Sets of recent clients, and for how many seconds they stay. */
  readonly affinity: ReadonlyMap<string, number>;
}

interface Plan extends Categories {
  readonly port: ServicePortInfo;
  readonly node: ProxyNode;
  readonly settings: ProxySettings;
  /** Names of chains. */
  readonly service: string;
  readonly local: readonly ProxyEndpoint[];
  readonly localChain: string;
  readonly external: string;
  readonly firewall: string;
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  readonly usesFirewall: boolean;
}

/** Models pkg/proxy/nftables/proxier.go syncProxyRules, the part for one port. */
export function serviceChains(
  port: ServicePortInfo,
  endpoints: readonly ProxyEndpoint[],
  node: ProxyNode,
  settings: ProxySettings,
): ServiceChains {
  const plan = planOf(port, endpoints, node, settings);
  const { hasAny, hasInternal, hasExternal, external } = plan;
  const outside = [...port.externalIPs, ...port.vips];
  const refused = hasAny ? DROPPED : REJECTED;
  const { nodePort } = port;
  return {
    clusterIP: port.clusterIP,
    serviceIPs: [
      ...(hasInternal ? [element(port, port.clusterIP, { type: 'goto', chain: internalChain(plan) })] : []),
      ...(hasAny ? outside.map((ip) => element(port, ip, { type: 'goto', chain: external })) : []),
    ],
    serviceNodePorts: hasAny && nodePort !== 0 ? [nodePortElement(port, { type: 'goto', chain: external })] : [],
    noEndpointServices: [
      ...(hasInternal ? [] : [element(port, port.clusterIP, refused, true)]),
      ...(hasExternal ? [] : outside.map((ip) => element(port, ip, refused, true))),
    ],
    noEndpointNodePorts: !hasExternal && nodePort !== 0 ? [nodePortElement(port, refused, true)] : [],
    firewallIPs: plan.usesFirewall
      ? port.vips.map((ip) => element(port, ip, { type: 'goto', chain: plan.firewall }, true))
      : [],
    chains: ownChains(plan),
    affinity: new Map(
      port.affinity === undefined ? [] : plan.reachable.map((one) => [affinitySet(port, one), port.affinity!]),
    ),
  };
}

const DROPPED: NftVerdict = { type: 'drop' };
const REJECTED: NftVerdict = { type: 'goto', chain: REJECT_CHAIN };

function element(port: ServicePortInfo, address: string, verdict: NftVerdict, hasComment = false): NftElement {
  const key = `${address} . ${port.protocol} . ${port.port}`;
  return { key, ...(hasComment ? { comment: port.name } : {}), verdict };
}

function nodePortElement(port: ServicePortInfo, verdict: NftVerdict, hasComment = false): NftElement {
  return { key: `${port.protocol} . ${port.nodePort}`, ...(hasComment ? { comment: port.name } : {}), verdict };
}

function planOf(
  port: ServicePortInfo,
  endpoints: readonly ProxyEndpoint[],
  node: ProxyNode,
  settings: ProxySettings,
): Plan {
  const found = categorize(endpoints, port, node);
  const base = portBase(port);
  const hasLocal = found.local.length > 0;
  return {
    ...{ ...found, port, node, settings },
    ...{ service: `service-${base}`, localChain: `local-${base}` },
    ...{ external: `external-${base}`, firewall: `firewall-${base}` },
    hasInternal: found.hasAny && (!port.isInternalLocal || hasLocal),
    hasExternal: found.hasAny && (!port.isExternalLocal || hasLocal),
    usesFirewall: port.vips.length > 0 && port.sourceRanges.length > 0,
  };
}

const internalChain = ({ port, service, localChain }: Plan): string => (port.isInternalLocal ? localChain : service);
const endpointChain = (port: ServicePortInfo, one: ProxyEndpoint): string => `endpoint-${endpointBase(port, one)}`;
const affinitySet = (port: ServicePortInfo, one: ProxyEndpoint): string => `affinity-${endpointBase(port, one)}`;

function ownChains(plan: Plan): Map<string, readonly NftRule[]> {
  const { port, hasAny, cluster, local, reachable } = plan;
  const chains = new Map<string, readonly NftRule[]>();
  if (cluster.length > 0 && usesClusterEndpoints(port))
    chains.set(plan.service, policyRules(plan, plan.service, cluster));
  if (local.length > 0 && usesLocalEndpoints(port))
    chains.set(plan.localChain, policyRules(plan, plan.localChain, local));
  if (hasAny && isExternallyAccessible(port)) chains.set(plan.external, externalRules(plan));
  if (plan.usesFirewall) chains.set(plan.firewall, [firewallRule(plan)]);
  for (const one of reachable) chains.set(endpointChain(port, one), endpointRules(port, one));
  return chains;
}

const rule = (...statements: NftStatement[]): NftRule => ({ statements });
const from = (prefix: string, isNot = false): NftStatement => ({
  ...{ type: 'address', field: 'ip saddr', prefixes: [prefixOf(prefix)], isNot },
});

/** The chain of a policy: who is not a pod is masqueraded, who came before goes where it went, others anywhere. */
function policyRules(plan: Plan, chain: string, endpoints: readonly ProxyEndpoint[]): NftRule[] {
  const { port, hasInternal } = plan;
  const sticky = port.affinity === undefined ? [] : endpoints;
  return [
    ...(hasInternal && chain === internalChain(plan) ? masqueradeRules(plan) : []),
    ...sticky.map((one) =>
      rule(
        { type: 'lookup', field: 'ip saddr', set: affinitySet(port, one), seconds: port.affinity! },
        goTo(endpointChain(port, one)),
      ),
    ),
    rule({
      type: 'random',
      verdicts: endpoints.map((one) => ({ type: 'goto', chain: endpointChain(port, one) })),
    }),
  ];
}

function masqueradeRules({ port, settings }: Plan): NftRule[] {
  const to: NftStatement = { type: 'address', field: 'ip daddr', prefixes: [prefixOf(port.clusterIP)] };
  if (settings.masqueradeAll) return [rule(to, jump(MARK_CHAIN))];
  return settings.clusterCIDR === undefined ? [] : [rule(to, from(settings.clusterCIDR, true), jump(MARK_CHAIN))];
}

/** What comes from outside. */
function externalRules({ port, settings, service, localChain, hasExternal }: Plan): NftRule[] {
  const onwards = hasExternal ? [rule(goTo(port.isExternalLocal ? localChain : service))] : [];
  if (!port.isExternalLocal) return [rule(jump(MARK_CHAIN)), ...onwards];
  const ofHost: NftStatement = { type: 'fib', side: 'saddr' };
  const { clusterCIDR } = settings;
  return [
    ...(clusterCIDR === undefined
      ? []
      : [{ statements: [from(clusterCIDR), goTo(service)], comment: 'short-circuit pod traffic' }]),
    { statements: [ofHost, jump(MARK_CHAIN)], comment: 'masquerade local traffic' },
    { statements: [ofHost, goTo(service)], comment: 'short-circuit local traffic' },
    ...onwards,
  ];
}

function firewallRule({ port, node }: Plan): NftRule {
  const ranges = port.sourceRanges.map(prefixOf);
  const isNodeAllowed = ranges.some((range) => isInPrefix(range, node.ip));
  const prefixes = [...ranges, ...(isNodeAllowed ? port.vips.map(prefixOf) : [])];
  return rule(
    { type: 'address', field: 'ip saddr', prefixes, isNot: true, isSet: true },
    { type: 'verdict', verdict: DROPPED },
  );
}

/** An endpoint that speaks to itself sees the node; everybody else is led to it. */
function endpointRules(port: ServicePortInfo, one: ProxyEndpoint): NftRule[] {
  return [
    rule(from(one.ip), jump(MARK_CHAIN)),
    ...(port.affinity === undefined ? [] : [rule({ type: 'update', set: affinitySet(port, one) })]),
    rule({ type: 'protocol', protocol: port.protocol }, { type: 'dnat', to: one.text }),
  ];
}
