import type { Service } from '../../../api/core_v1.js';
import type { WriteContext } from '../../../machinery/client.js';
import { defineKind, proxyConnection, type Kind } from '../../../machinery/kind.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { isReserved, kind as ipAddresses } from '../../networking/ipaddress/kind.js';
import { allocate, clusterIPsOf, nodePortsOf, validateAllocation, type AllocationContext } from './allocation.js';
import { configuredFamilies, initFamilies } from './families.js';
import { validateClusterIPs } from './cluster-ips.js';
import { defaultService } from './defaults.js';
import { validateLoadBalancerStatus } from './load-balancer-status.js';
import { normalizeClusterIPs, patchAllocatedValues } from './patch-allocated-values.js';
import { columns } from './table.js';
import { validateService, validateServiceUpdate } from './validation.js';
import { serviceRanges } from './service-cidrs.js';
import { serviceWarnings } from './warnings.js';

const allocationContext = ({ random, read }: WriteContext): AllocationContext => ({
  random,
  servicesBy: (index, value) => read.byIndex(kind, index, value),
  ranges: () => serviceRanges(read),
  isReserved: (ip) => isReserved(read.get(ipAddresses, { namespace: '', name: ip })),
});

/** Families, addresses and ports; nothing is taken for what is to be refused. */
function assign(draft: Service, old: Service | undefined, context: WriteContext): void {
  if (validateClusterIPs(draft.spec).length > 0) return;
  if (initFamilies(draft, old, configuredFamilies(context.read)).length === 0)
    allocate(draft, allocationContext(context));
}

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
    assign(draft, undefined, context);
  },
  prepareForUpdate(draft, old, context) {
    draft.spec = { ...draft.spec };
    patchAllocatedValues(draft, old);
    assign(draft, old, context);
    if (draft.spec.type !== 'LoadBalancer' && old.spec.type === 'LoadBalancer')
      draft.status = { ...draft.status, loadBalancer: {} };
  },
  /** Upstream allocates before it validates: an allocation error hides those of the validation. */
  validate(service, context) {
    const addresses = validateClusterIPs(service.spec);
    const old = context.read.get(kind, keyOf(service));
    const wrong = addresses.length > 0 ? addresses : initFamilies(service, old, configuredFamilies(context.read));
    const errors = wrong.length > 0 ? wrong : validateAllocation(service, old, allocationContext(context));
    return errors.length > 0 ? errors : validateService(service);
  },
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateLoadBalancerStatus,
  warnings: serviceWarnings,
});
