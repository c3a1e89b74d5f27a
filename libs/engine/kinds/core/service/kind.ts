import type { Service } from '../../../api/core_v1.js';
import type { WriteContext } from '../../../machinery/client.js';
import { defineKind, proxyConnection, type Kind } from '../../../machinery/kind.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { allocate, clusterIPsOf, nodePortsOf, validateAllocation, type AllocationContext } from './allocation.js';
import { validateClusterIPs } from './cluster-ips.js';
import { defaultService } from './defaults.js';
import { validateLoadBalancerStatus } from './load-balancer-status.js';
import { normalizeClusterIPs, patchAllocatedValues } from './patch-allocated-values.js';
import { columns } from './table.js';
import { validateService, validateServiceUpdate } from './validation.js';
import { serviceWarnings } from './warnings.js';

const allocationContext = ({ random, read }: WriteContext): AllocationContext => ({
  random,
  servicesBy: (index, value) => read.byIndex(kind, index, value),
});

/** Models pkg/registry/core/service. */
export const kind: Kind<Service> = defineKind<Service>({
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
  subresources: { status: true, connects: { proxy: proxyConnection('ServiceProxyOptions') } },
  fieldSelectors: { 'spec.clusterIP': (s) => s.spec.clusterIP ?? '', 'spec.type': (s) => s.spec.type ?? '' },
  indexes: { clusterIP: clusterIPsOf, nodePort: nodePortsOf },
  columns,
  defaults: defaultService,
  prepareForCreate(draft, context) {
    draft.status = { loadBalancer: {} };
    draft.spec = { ...draft.spec };
    normalizeClusterIPs(draft.spec, undefined);
    if (validateClusterIPs(draft.spec).length === 0) allocate(draft, allocationContext(context));
  },
  prepareForUpdate(draft, old, context) {
    draft.spec = { ...draft.spec };
    patchAllocatedValues(draft, old);
    if (validateClusterIPs(draft.spec).length === 0) allocate(draft, allocationContext(context));
    if (draft.spec.type !== 'LoadBalancer' && old.spec.type === 'LoadBalancer')
      draft.status = { ...draft.status, loadBalancer: {} };
  },
  /** Upstream allocates before it validates: an allocation error hides those of the validation. */
  validate(service, context) {
    const addresses = validateClusterIPs(service.spec);
    const old = context.read.get(kind, keyOf(service));
    const errors = addresses.length > 0 ? addresses : validateAllocation(service, old, allocationContext(context));
    return errors.length > 0 ? errors : validateService(service);
  },
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateLoadBalancerStatus,
  warnings: serviceWarnings,
});
