import type { LimitRange, LimitRangeItem } from '../../../api/core_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateLimitRange } from './validation.js';
import { createdAtColumn, nameColumn } from '../../columns.js';

/** Fills a container's default limits from max, and its default requests from the limits, then from min. */
function defaultItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  item.default = { ...item.max, ...item.default };
  item.defaultRequest = { ...item.min, ...item.default, ...item.defaultRequest };
}

export const kind = defineKind<LimitRange>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  singular: 'limitrange',
  shortNames: ['limits'],
  scope: 'Namespaced',
  createOnUpdate: true,
  definition: 'io.k8s.api.core.v1.LimitRange',
  defaults({ spec }) {
    spec.limits ??= [];
    spec.limits.forEach(defaultItem);
  },
  columns: [nameColumn, createdAtColumn],
  validate: validateLimitRange,
});
