import type { Service } from '../../../api/core_v1.js';
import { defineKind, proxied } from '../../../machinery/kind.js';
import { validateClusterIPs, validateLoadBalancerStatus } from './cluster-ips.js';
import {
  allocate,
  clusterIPsOf,
  patchAllocatedValues,
  nodePortsOf,
  normalizeClusterIPs,
  validateAllocation,
} from './allocation.js';
import { defaultService } from './defaults.js';
import { columns } from './table.js';
import { serviceWarnings, validateService, validateServiceUpdate } from './validation.js';

/** Models pkg/registry/core/service. */
export const kind = defineKind<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  singular: 'service',
  shortNames: ['svc'],
  categories: ['all'],
  scope: 'Namespaced',
  returnsDeleted: true,
  createOnUpdate: true,
  definition: 'io.k8s.api.core.v1.Service',
  nameRule: 'label',
  generation: false,
  subresources: { status: true, connects: { proxy: proxied('ServiceProxyOptions') } },
  fieldSelectors: { 'spec.clusterIP': (s) => s.spec.clusterIP ?? '', 'spec.type': (s) => s.spec.type ?? '' },
  indexes: { clusterIP: clusterIPsOf, nodePort: nodePortsOf },
  columns,
  defaults: defaultService,
  prepareForCreate(draft, context) {
    draft.status = { loadBalancer: {} };
    draft.spec = { ...draft.spec };
    normalizeClusterIPs(draft.spec, undefined);
    if (validateClusterIPs(draft.spec).length === 0) allocate(draft, context);
  },
  prepareForUpdate(draft, old, context) {
    draft.spec = { ...draft.spec };
    patchAllocatedValues(draft, old);
    if (validateClusterIPs(draft.spec).length === 0) allocate(draft, context);
    if (draft.spec.type !== 'LoadBalancer' && old.spec.type === 'LoadBalancer')
      draft.status = { ...draft.status, loadBalancer: {} };
  },
  /** What cannot be allocated is all that is said of it, as upstream allocates first. */
  validate(service, context) {
    const addresses = validateClusterIPs(service.spec);
    const errors = addresses.length > 0 ? addresses : validateAllocation(service, context);
    return errors.length > 0 ? errors : validateService(service);
  },
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateLoadBalancerStatus,
  warnings: serviceWarnings,
});
