import type { Node } from '../../../api/core_v1.js';
import { defineKind, proxyConnection, streamConnection, type Connection } from '../../../machinery/kind.js';
import { addMissedHeartbeats } from './heartbeat.js';
import { leaveHost } from './remains.js';
import { columns } from './table.js';
import { nodeWarnings, validateNode, validateNodeUpdate } from './validation.js';

/** `shell`: a terminal of the node, without a pod. */
const connects: Readonly<Record<string, Connection>> = {
  proxy: proxyConnection('NodeProxyOptions'),
  shell: { ...streamConnection('PodExecOptions'), isOwn: true },
};

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
  subresources: { status: true, connects },
  fieldSelectors: { 'spec.unschedulable': (n) => String(n.spec.unschedulable ?? false) },
  columns,
  asOf: addMissedHeartbeats,
  defaults(draft) {
    const { spec, status } = draft;
    // podCIDR is the first of podCIDRs. Older clients write podCIDR alone, so it wins.
    if (spec?.podCIDR && spec.podCIDR !== spec.podCIDRs?.[0]) draft.spec = { ...spec, podCIDRs: [spec.podCIDR] };
    else if (spec?.podCIDRs?.length && !spec.podCIDR) draft.spec = { ...spec, podCIDR: spec.podCIDRs[0]! };
    if (!status.allocatable && status.capacity) status.allocatable = { ...status.capacity };
  },
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  warnings: nodeWarnings,
  remains: leaveHost,
});
