import type { Node } from '../../../api/core_v1.js';
import { defineKind, proxied } from '../../../machinery/kind.js';
import { withHeartbeat } from './heartbeat.js';
import { columns } from './table.js';
import { validateNode, validateNodeUpdate } from './validation.js';

export const kind = defineKind<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  singular: 'node',
  shortNames: ['no'],
  scope: 'Cluster',
  definition: 'io.k8s.api.core.v1.Node',
  generation: false,
  subresources: { status: true, connects: { proxy: proxied('NodeProxyOptions') } },
  fieldSelectors: { 'spec.unschedulable': (n) => String(n.spec.unschedulable ?? false) },
  columns,
  asOf: withHeartbeat,
  defaults({ status }) {
    if (!status.allocatable && status.capacity) status.allocatable = { ...status.capacity };
  },
  prepareForCreate(draft) {
    // As upstream, a node may be created with its status: kubelets register themselves so.
    if (draft.spec.podCIDR && !draft.spec.podCIDRs) draft.spec = { ...draft.spec, podCIDRs: [draft.spec.podCIDR] };
  },
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
});
