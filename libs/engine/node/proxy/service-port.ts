import type { Service } from '../../api/core_v1.js';
import { isSixth } from '../dualstack/addresses.js';

/** Seconds of session affinity unless the Service says otherwise. */
const AFFINITY_SECONDS = 10_800;

export type Family = 'IPv4' | 'IPv6';

/** One port of a Service as kube-proxy knows it, for one family. Models pkg/proxy BaseServicePortInfo. */
export interface ServicePortInfo {
  /** 'ns/service:port', or 'ns/service' when the port has no name. */
  readonly name: string;
  readonly portName: string;
  /** In small letters. */
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly clusterIP: string;
  readonly port: number;
  /** 0: none. */
  readonly nodePort: number;
  readonly externalIPs: readonly string[];
  /** Addresses of the load balancer that leave the packets as they are. */
  readonly vips: readonly string[];
  readonly sourceRanges: readonly string[];
  /** Seconds; undefined: no affinity. */
  readonly affinity: number | undefined;
  readonly isInternalLocal: boolean;
  readonly isExternalLocal: boolean;
  /** 0: none. */
  readonly healthCheckNodePort: number;
}

const isIPv4 = (address: string): boolean => address.includes('.') && !address.includes(':');

/** The ports of a Service that a proxy does something for. Models pkg/proxy/util ShouldSkipService. */
export function servicePorts({ metadata, spec, status }: Service, family: Family = 'IPv4'): ServicePortInfo[] {
  const isOfFamily = family === 'IPv4' ? isIPv4 : isSixth;
  const clusterIP = (spec.clusterIPs ?? [spec.clusterIP ?? '']).find(isOfFamily);
  if (spec.type === 'ExternalName' || spec.clusterIP === 'None' || clusterIP === undefined) return [];
  const ingress = status?.loadBalancer?.ingress ?? [];
  const isLocal = spec.externalTrafficPolicy === 'Local';
  const shared = {
    clusterIP,
    externalIPs: (spec.externalIPs ?? []).filter(isOfFamily),
    vips: ingress.flatMap(({ ip, ipMode }) => (ip && isOfFamily(ip) && ipMode !== 'Proxy' ? [ip] : [])),
    sourceRanges: (spec.loadBalancerSourceRanges ?? []).map((range) => range.trim()).filter(isOfFamily),
    affinity:
      spec.sessionAffinity === 'ClientIP'
        ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS)
        : undefined,
    isInternalLocal: spec.internalTrafficPolicy === 'Local',
    isExternalLocal: isLocal,
    healthCheckNodePort: isLocal && spec.type === 'LoadBalancer' ? (spec.healthCheckNodePort ?? 0) : 0,
  };
  return (spec.ports ?? []).map((port) => ({
    ...shared,
    name: `${metadata.namespace}/${metadata.name}${port.name ? `:${port.name}` : ''}`,
    portName: port.name ?? '',
    protocol: (port.protocol ?? 'TCP').toLowerCase() as ServicePortInfo['protocol'],
    port: port.port,
    nodePort: port.nodePort ?? 0,
  }));
}

export const isExternallyAccessible = ({ nodePort, vips, externalIPs }: ServicePortInfo): boolean =>
  nodePort !== 0 || vips.length > 0 || externalIPs.length > 0;

/** Also with externalTrafficPolicy Local: what comes from inside goes to all endpoints. */
export const usesClusterEndpoints = (port: ServicePortInfo): boolean =>
  !port.isInternalLocal || isExternallyAccessible(port);

export const usesLocalEndpoints = (port: ServicePortInfo): boolean =>
  port.isInternalLocal || (port.isExternalLocal && isExternallyAccessible(port));
