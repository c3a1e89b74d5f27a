import type { ComponentStatus } from '../../../api/core_v1.js';
import { column, nameColumn } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';

const healthy = (c: ComponentStatus) => c.conditions?.find((x) => x.type === 'Healthy');

/** Read-only; upstream probes the components on each read, here they are what the bootstrap says. */
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
      healthy(c)?.status === 'True' ? 'Healthy' : healthy(c) ? 'Unhealthy' : 'Unknown',
    ),
    column('Message', 'What the component says.', (c) => healthy(c)?.message ?? ''),
    column('Error', 'Why it could not be asked.', (c) => healthy(c)?.error ?? ''),
  ],
});
