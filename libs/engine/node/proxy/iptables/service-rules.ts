import {
  isInPrefix,
  prefixOf,
  type Match,
  type RejectWith,
  type Rule,
  type Target,
} from '../../../kernel/netfilter/index.js';
import { isSixth } from '../../dualstack/addresses.js';
import { clusterChain, endpointChain, externalChain, firewallChain, localChain } from './chain-names.js';
import type { ProxyEndpoint } from '../endpoints.js';
import { jumpTo, LOCAL_DESTINATION, LOCAL_SOURCE, MARK_MASQ, ruleOf } from './rules.js';
import {
  isExternallyAccessible,
  usesClusterEndpoints,
  usesLocalEndpoints,
  type ServicePortInfo,
} from '../service-port.js';
import type { ProxySettings } from '../settings.js';
import { categorize, type Categories, type ProxyNode } from '../topology.js';

/** What a port of a Service adds to the chains that all Services share, and its own chains. */
export interface ServiceRules {
  readonly natServices: readonly Rule[];
  readonly natNodePorts: readonly Rule[];
  readonly filterServices: readonly Rule[];
  readonly filterExternal: readonly Rule[];
  readonly filterFirewall: readonly Rule[];
  readonly filterNodePorts: readonly Rule[];
  /** Of the table nat. */
  readonly chains: ReadonlyMap<string, readonly Rule[]>;
}

/** How a port's chains are called, and which of them its traffic goes through. */
interface Plan extends Categories {
  readonly port: ServicePortInfo;
  readonly settings: ProxySettings;
  readonly node: ProxyNode;
  readonly svc: string;
  readonly ext: string;
  readonly fw: string;
  readonly svl: string;
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  readonly usesFirewall: boolean;
}

/** Models pkg/proxy/iptables/proxier.go syncProxyRules, the part for one port. */
export function serviceRules(
  port: ServicePortInfo,
  endpoints: readonly ProxyEndpoint[],
  node: ProxyNode,
  settings: ProxySettings,
): ServiceRules {
  const plan = planOf(port, endpoints, node, settings);
  return {
    natServices: natServices(plan),
    natNodePorts: plan.hasAny && port.nodePort !== 0 ? [nodePortRule(plan)] : [],
    filterServices: plan.hasInternal ? [] : [closed(plan, { destination: port.clusterIP })],
    filterExternal: plan.hasExternal ? [] : filterExternal(plan),
    filterFirewall: plan.usesFirewall ? port.vips.map((vip) => firewallRule(plan, vip)) : [],
    filterNodePorts: port.healthCheckNodePort === 0 ? [] : [healthCheckRule(port)],
    chains: ownChains(plan),
  };
}

function planOf(
  port: ServicePortInfo,
  endpoints: readonly ProxyEndpoint[],
  node: ProxyNode,
  settings: ProxySettings,
): Plan {
  const found = categorize(endpoints, port, node);
  const { name, protocol } = port;
  const hasLocal = found.local.length > 0;
  return {
    ...found,
    port,
    node,
    settings,
    svc: clusterChain(name, protocol),
    svl: localChain(name, protocol),
    ext: externalChain(name, protocol),
    fw: firewallChain(name, protocol),
    hasInternal: found.hasAny && (!port.isInternalLocal || hasLocal),
    hasExternal: found.hasAny && (!port.isExternalLocal || hasLocal),
    usesFirewall: found.hasAny && port.vips.length > 0 && port.sourceRanges.length > 0,
  };
}

/** Where traffic to the cluster IP goes. */
const internalChain = ({ port, svc, svl }: Plan): string => (port.isInternalLocal ? svl : svc);

function natServices(plan: Plan): Rule[] {
  const { port, hasAny, hasInternal, ext, fw, usesFirewall } = plan;
  const { name, protocol, port: dport } = port;
  const toService = (destination: string, what: string, chain: string): Rule =>
    ruleOf(jumpTo(chain), { comment: `${name} ${what}`, protocol, destination, dport });
  return [
    ...(hasInternal ? [toService(port.clusterIP, 'cluster IP', internalChain(plan))] : []),
    ...(hasAny ? port.externalIPs.map((ip) => toService(ip, 'external IP', ext)) : []),
    ...(hasAny ? port.vips.map((ip) => toService(ip, 'loadbalancer IP', usesFirewall ? fw : ext)) : []),
  ];
}

const nodePortRule = ({ port, ext }: Plan): Rule =>
  ruleOf(jumpTo(ext), { comment: port.name, protocol: port.protocol, dport: port.nodePort });

/** Nothing answers: REJECT when there is no endpoint at all, DROP when there is none on this node. */
function closed(
  { port, hasAny }: Plan,
  to: { readonly destination?: string; readonly matches?: readonly Match[]; readonly dport?: number },
): Rule {
  const { name, protocol } = port;
  const target: Target = hasAny ? { type: 'DROP' } : { type: 'REJECT', with: rejectionOf(port) };
  const comment = hasAny ? `${name} has no local endpoints` : `${name} has no endpoints`;
  return ruleOf(target, { comment, protocol, dport: port.port, ...to });
}

const rejectionOf = ({ clusterIP }: ServicePortInfo): RejectWith =>
  isSixth(clusterIP) ? 'icmp6-port-unreachable' : 'icmp-port-unreachable';
/** Lists of clients are of whole addresses. */
const maskOf = ({ clusterIP }: ServicePortInfo): { readonly isSixth?: true } =>
  isSixth(clusterIP) ? { isSixth: true } : {};

function filterExternal(plan: Plan): Rule[] {
  const { externalIPs, vips, nodePort } = plan.port;
  return [
    ...[...externalIPs, ...vips].map((destination) => closed(plan, { destination })),
    ...(nodePort === 0 ? [] : [closed(plan, { matches: [LOCAL_DESTINATION], dport: nodePort })]),
  ];
}

const firewallRule = ({ port, fw }: Plan, destination: string): Rule =>
  ruleOf(
    { type: 'DROP' },
    {
      comment: `${port.name} traffic not accepted by ${fw}`,
      protocol: port.protocol,
      destination,
      dport: port.port,
    },
  );

const healthCheckRule = ({ name, healthCheckNodePort }: ServicePortInfo): Rule =>
  ruleOf(
    { type: 'ACCEPT' },
    { comment: `${name} health check node port`, protocol: 'tcp', dport: healthCheckNodePort },
  );

function ownChains(plan: Plan): Map<string, readonly Rule[]> {
  const { port, hasAny, cluster, local, reachable, svc, svl, ext, fw } = plan;
  const chains = new Map<string, readonly Rule[]>();
  if (hasAny && isExternallyAccessible(port)) chains.set(ext, externalRules(plan));
  if (plan.usesFirewall) chains.set(fw, firewallRules(plan));
  if (cluster.length > 0 && usesClusterEndpoints(port)) chains.set(svc, policyRules(plan, svc, cluster));
  if (local.length > 0 && usesLocalEndpoints(port)) chains.set(svl, policyRules(plan, svl, local));
  for (const one of reachable) chains.set(endpointChain(port.name, port.protocol, one.text), endpointRules(port, one));
  return chains;
}

/** KUBE-EXT-…: what comes from outside. */
function externalRules({ port, settings, svc, svl, hasExternal }: Plan): Rule[] {
  const { name, isExternalLocal } = port;
  const { clusterCIDR } = settings;
  const onwards = hasExternal ? [ruleOf(jumpTo(isExternalLocal ? svl : svc), {})] : [];
  if (!isExternalLocal)
    return [ruleOf(jumpTo(MARK_MASQ), { comment: `masquerade traffic for ${name} external destinations` }), ...onwards];
  const ofHost = { matches: [LOCAL_SOURCE] };
  return [
    ...(clusterCIDR === undefined
      ? []
      : [ruleOf(jumpTo(svc), { comment: `pod traffic for ${name} external destinations`, source: clusterCIDR })]),
    ruleOf(jumpTo(MARK_MASQ), { comment: `masquerade LOCAL traffic for ${name} external destinations`, ...ofHost }),
    ruleOf(jumpTo(svc), { comment: `route LOCAL traffic for ${name} external destinations`, ...ofHost }),
    ...onwards,
  ];
}

/** KUBE-FW-…: who may use a load balancer's address. */
function firewallRules({ port, node, ext }: Plan): Rule[] {
  const comment = `${port.name} loadbalancer IP`;
  const ranges = port.sourceRanges.map((source) => ruleOf(jumpTo(ext), { comment, source }));
  const isNodeAllowed = port.sourceRanges.some((range) => isInPrefix(prefixOf(range), node.ip));
  const ofNode = isNodeAllowed ? port.vips.map((source) => ruleOf(jumpTo(ext), { comment, source })) : [];
  const rest = `other traffic to ${port.name} will be dropped by KUBE-PROXY-FIREWALL`;
  return [...ranges, ...ofNode, ruleOf(undefined, { comment: rest })];
}

/** KUBE-SVC-… and KUBE-SVL-…: one of the endpoints. Models writeServiceToEndpointRules. */
function policyRules(plan: Plan, chain: string, endpoints: readonly ProxyEndpoint[]): Rule[] {
  const { port, hasInternal } = plan;
  const { name, protocol, affinity } = port;
  const to = (one: ProxyEndpoint, matches: readonly Match[]): Rule =>
    ruleOf(jumpTo(endpointChain(name, protocol, one.text)), { comment: `${name} -> ${one.text}`, matches });
  const sticky = affinity === undefined ? [] : endpoints;
  return [
    ...(hasInternal && chain === internalChain(plan) ? masqueradeRules(plan) : []),
    ...sticky.map((one) => {
      const list = endpointChain(name, protocol, one.text);
      return to(one, [{ type: 'recent', mode: 'rcheck', name: list, seconds: affinity!, ...maskOf(port) }]);
    }),
    ...endpoints.map((one, i) => {
      const left = endpoints.length - i;
      return to(one, left === 1 ? [] : [{ type: 'statistic', probability: 1 / left }]);
    }),
  ];
}

/** What does not come from a pod must find its way back. */
function masqueradeRules({ port, settings }: Plan): Rule[] {
  const { name, protocol, clusterIP, port: dport } = port;
  const parts = { comment: `${name} cluster IP`, protocol, destination: clusterIP, dport };
  if (settings.masqueradeAll) return [ruleOf(jumpTo(MARK_MASQ), parts)];
  if (settings.clusterCIDR === undefined) return [];
  return [ruleOf(jumpTo(MARK_MASQ), { ...parts, source: settings.clusterCIDR, isNotSource: true })];
}

/** KUBE-SEP-…: an endpoint that speaks to itself sees the node; everybody else is led to it. */
function endpointRules(port: ServicePortInfo, { ip, text }: ProxyEndpoint): Rule[] {
  const { name, protocol, affinity } = port;
  const matches: Match[] =
    affinity === undefined
      ? []
      : [{ type: 'recent', mode: 'set', name: endpointChain(name, protocol, text), ...maskOf(port) }];
  return [
    ruleOf(jumpTo(MARK_MASQ), { comment: name, source: ip }),
    ruleOf({ type: 'DNAT', to: text }, { comment: name, protocol, matches }),
  ];
}
