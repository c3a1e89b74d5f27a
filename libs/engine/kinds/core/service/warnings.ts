import type { Service } from '../../../api/core_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { getWarningsForCIDR, getWarningsForIP } from '../../ip.js';

const path = Path.of('spec');
const HINTS = 'service.kubernetes.io/topology-aware-hints';

/** Models pkg/api/service GetWarningsForService. */
export function serviceWarnings({ metadata, spec }: Service): string[] {
  const warnings =
    metadata.annotations?.[HINTS] === undefined
      ? []
      : [`annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`];
  const headless = spec.clusterIP === 'None';
  const external = spec.type === 'ExternalName';
  const [externalIPs, ranges] = [spec.externalIPs ?? [], spec.loadBalancerSourceRanges ?? []];
  if (!headless)
    spec.clusterIPs?.forEach((ip, i) => warnings.push(...getWarningsForIP(path.child('clusterIPs').index(i), ip)));
  if (headless && spec.loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
  if (headless && externalIPs.length) warnings.push('spec.externalIPs is ignored for headless services');
  if (headless && spec.sessionAffinity !== 'None')
    warnings.push('spec.SessionAffinity is ignored for headless services');
  externalIPs.forEach((ip, i) => warnings.push(...getWarningsForIP(path.child('externalIPs').index(i), ip)));
  if (externalIPs.length && !headless && !external)
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (spec.loadBalancerIP) warnings.push(...getWarningsForIP(path.child('loadBalancerIP'), spec.loadBalancerIP));
  ranges.forEach((range, i) =>
    warnings.push(...getWarningsForCIDR(path.child('loadBalancerSourceRanges').index(i), range)),
  );
  if (external && externalIPs.length) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!external && spec.externalName)
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.trafficDistribution === 'PreferClose')
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}
