import type { HorizontalPodAutoscaler } from '../../../api/autoscaling_v2.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { defaultAutoscaler } from './defaults.js';
import { formatHPAMetrics } from './targets.js';
import { validateAutoscaler, validateAutoscalerStatus } from './validation.js';

/** Models pkg/registry/autoscaling/horizontalpodautoscaler. */
export const kind = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  subresources: { status: true },
  generation: false,
  columns: [
    nameColumn,
    text('Reference', ({ spec: { scaleTargetRef: ref } }) => `${ref.kind}/${ref.name}`),
    text('Targets', formatHPAMetrics),
    text('MinPods', (a) => String(a.spec.minReplicas ?? '<unset>')),
    column('MaxPods', 'string', (a) => a.spec.maxReplicas),
    column('Replicas', 'string', (a) => a.status.currentReplicas ?? 0),
    ageColumn,
  ],
  defaults: defaultAutoscaler,
  prepareForCreate(draft) {
    draft.status = { desiredReplicas: 0, currentMetrics: null as never };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: (next) => (next.metadata.resourceVersion ? [] : validateAutoscaler(next, undefined)),
  validateUpdate: validateAutoscaler,
  validateStatusUpdate: validateAutoscalerStatus,
});
