/** Models patchAllocatedValues, dropTypeDependentFields and normalizeClusterIPs of pkg/registry/core/service. */
import type { Service, ServicePort } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { isExternallyAccessible, needsHealthCheck, usesNodePorts } from './external-traffic.js';

/**
 * Keeps the addresses and ports of the stored Service where an update leaves them out, and drops those that the new
 * type does not have.
 */
export function patchAllocatedValues(draft: Service, old: Service): void {
  const [next, was] = [draft.spec, old.spec];
  if (next.type !== 'ExternalName' && was.type !== 'ExternalName') {
    if (!next.clusterIP && was.clusterIP) next.clusterIP = was.clusterIP;
    if (!next.clusterIPs?.length && was.clusterIPs) next.clusterIPs = was.clusterIPs;
    next.ipFamilies ??= was.ipFamilies;
    next.ipFamilyPolicy ??= was.ipFamilyPolicy;
  }
  normalizeClusterIPs(next, was);
  if (usesNodePorts(next) && usesNodePorts(was)) {
    next.ports = patchNodePorts(next.ports ?? [], was.ports ?? []);
    if (needsHealthCheck(next) && needsHealthCheck(was)) next.healthCheckNodePort ||= was.healthCheckNodePort;
  } else if (!usesNodePorts(next) && usesNodePorts(was)) {
    // The node ports are dropped with the type, unless the update asks for a new one.
    const before = new Set(was.ports?.map((p) => p.nodePort));
    if (next.ports?.every((p) => !p.nodePort || before.has(p.nodePort)))
      next.ports = next.ports.map((port) => (port.nodePort ? withNodePort(port, undefined) : port));
  }
  if (next.type !== 'LoadBalancer' && was.type === 'LoadBalancer') {
    if (next.allocateLoadBalancerNodePorts === was.allocateLoadBalancerNodePorts)
      delete next.allocateLoadBalancerNodePorts;
    if (next.loadBalancerClass === was.loadBalancerClass) delete next.loadBalancerClass;
  }
  if (!needsHealthCheck(next) && next.healthCheckNodePort === was.healthCheckNodePort) delete next.healthCheckNodePort;
  if (
    !isExternallyAccessible(next) &&
    isExternallyAccessible(was) &&
    next.externalTrafficPolicy === was.externalTrafficPolicy
  )
    delete next.externalTrafficPolicy;
  if (next.type === 'ExternalName' && was.type !== 'ExternalName') dropClusterIPs(next, was);
}

function dropClusterIPs(next: Service['spec'], was: Service['spec']): void {
  if (next.clusterIP === was.clusterIP) {
    delete next.clusterIP;
    delete next.clusterIPs;
  }
  for (const field of ['ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'] as const) delete next[field];
}

/** A port without a node port keeps the one of the stored port of its name, unless another port asks for that one. */
function patchNodePorts(next: readonly ServicePort[], was: readonly ServicePort[]): ServicePort[] {
  const before = new Map(was.map((p) => [p.name ?? '', p.nodePort]));
  const named = new Set(next.map((p) => p.nodePort));
  return next.map((port) => {
    const nodePort = before.get(port.name ?? '');
    return port.nodePort || named.has(nodePort) ? port : withNodePort(port, nodePort);
  });
}

function withNodePort(port: ServicePort, nodePort: number | undefined): ServicePort {
  const { nodePort: _, ...rest } = port;
  return nodePort === undefined ? rest : { ...rest, nodePort };
}

/** Makes clusterIP and clusterIPs agree for clients that write only one of them. Models normalizeClusterIPs. */
export function normalizeClusterIPs(next: Service['spec'], was: Service['spec'] | undefined): void {
  if (!was) {
    if (next.clusterIP && !next.clusterIPs?.length) next.clusterIPs = [next.clusterIP];
    return;
  }
  if ((was.clusterIP ?? '') === (next.clusterIP ?? '')) {
    if (!next.clusterIPs?.length && was.clusterIPs) next.clusterIPs = was.clusterIPs;
    return;
  }
  if (!deepEqual(was.clusterIPs ?? [], next.clusterIPs ?? [])) return;
  if (next.clusterIP) next.clusterIPs = [next.clusterIP];
  else delete next.clusterIPs;
}
