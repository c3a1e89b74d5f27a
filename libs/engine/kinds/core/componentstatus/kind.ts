import type { ComponentStatus } from '../../../api/core_v1.js';
import { column, nameColumn } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';

const healthyCondition = (c: ComponentStatus) => c.conditions?.find((x) => x.type === 'Healthy');

/** Upstream probes the components at each read. Here the bootstrap writes the objects once. */
export const kind = defineKind<ComponentStatus>({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  singular: 'componentstatus',
  shortNames: ['cs'],
  scope: 'Cluster',
  definition: 'io.k8s.api.core.v1.ComponentStatus',
  verbs: ['get', 'list'],
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  columns: [
    nameColumn,
    column('Status', 'Healthy or not.', (c) =>
      healthyCondition(c)?.status === 'True' ? 'Healthy' : healthyCondition(c) ? 'Unhealthy' : 'Unknown',
    ),
    column('Message', 'What the component says.', (c) => healthyCondition(c)?.message ?? ''),
    column('Error', 'Why it could not be asked.', (c) => healthyCondition(c)?.error ?? ''),
  ],
});
