import type { ResourceQuota } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateQuota, validateQuotaUpdate } from './validation.js';

const formatUsage = (quota: ResourceQuota, limits: boolean): string =>
  Object.entries(quota.status.hard ?? quota.spec.hard ?? {})
    .filter(([name]) => name.startsWith('limits.') === limits)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => `${name}: ${quota.status.used?.[name] ?? '0'}/${hard}`)
    .join(', ');

export const kind = defineKind<ResourceQuota>({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  shortNames: ['quota'],
  scope: 'Namespaced',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.ResourceQuota',
  generation: false,
  subresources: { status: true },
  columns: [
    nameColumn,
    column('Request', 'Use and limit of what is requested or counted.', (q) => formatUsage(q, false)),
    column('Limit', "Use and limit of the containers' limits.", (q) => formatUsage(q, true)),
    ageColumn,
  ],
  prepareForCreate(draft) {
    draft.status = {};
  },
  validate: validateQuota,
  validateUpdate: validateQuotaUpdate,
});
