import type { Job, JobSpec } from '../../../api/batch_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { defineKind } from '../../../machinery/kind.js';
import { Path } from '../../../machinery/meta/field.js';
import { defaultPodTemplate, podNameWarnings, templateWarnings } from '../../core/pod/kind.js';
import { attribution } from './attribution.js';
import { NAME_LABELS, UID_LABELS } from './labels.js';
import { columns } from './table.js';
import { validateJobStatus } from './status-validation.js';
import { validateJob, validateJobUpdate } from './validation.js';

export { validateJobTemplateSpec } from './validation.js';

/** Models pkg/apis/batch/v1/defaults.go. */
export function defaultJobSpec(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  if (spec.backoffLimit === undefined) spec.backoffLimit = spec.backoffLimitPerIndex === undefined ? 6 : 2147483647;
  spec.completionMode ||= 'NonIndexed';
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  defaultPodTemplate((spec.template ??= {}));
}

/**
 * The selector and the labels that tell a job's pods from another's. Models generateSelector of pkg/registry/batch/job.
 */
function generateSelector({ metadata, spec }: Job): void {
  const { uid = '', name = '' } = metadata;
  const template = spec.template;
  const labels = { ...template.metadata?.labels };
  for (const label of NAME_LABELS) labels[label] = name;
  for (const label of UID_LABELS) labels[label] = uid;
  spec.template = { ...template, metadata: { ...template.metadata, labels } };
  spec.selector = { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels, [UID_LABELS[0]!]: uid } };
}

export const kind = defineKind<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  singular: 'job',
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.batch.v1.Job',
  subresources: { status: true },
  unsupportedField: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  fieldSelectors: { 'status.successful': (j) => String(j.status.succeeded ?? 0) },
  columns,
  attribution,
  defaults(draft) {
    defaultJobSpec(draft.spec);
    const labels = draft.spec.template.metadata?.labels;
    if (labels && !Object.keys(draft.metadata.labels ?? {}).length) draft.metadata.labels = { ...labels };
  },
  prepareForCreate(draft) {
    draft.status = {};
    draft.spec = { ...draft.spec };
    const { metadata, spec } = draft;
    // A job without labels of its own shows its template's, the generated ones included.
    const shared =
      !Object.keys(metadata.labels ?? {}).length || deepEqual(metadata.labels, spec.template.metadata?.labels);
    if (!spec.manualSelector) generateSelector(draft);
    const labels = spec.template.metadata?.labels;
    if (shared && labels) metadata.labels = { ...labels };
  },
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatus,
  warnings: (object, old) => [
    ...podNameWarnings(object, old),
    ...templateWarnings(Path.of('spec', 'template'), object.spec.template, object, old),
  ],
});
