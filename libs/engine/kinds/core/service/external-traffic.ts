/** How a Service is reached from outside of the cluster. Models pkg/api/service/util.go. */
import type { Service } from '../../../api/core_v1.js';

type ServiceSpec = Service['spec'];

export const usesNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Models ExternallyAccessible. */
export const isExternallyAccessible = (spec: ServiceSpec): boolean =>
  usesNodePorts(spec) || (spec.type === 'ClusterIP' && Boolean(spec.externalIPs?.length));

/** Models NeedsHealthCheck. */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
