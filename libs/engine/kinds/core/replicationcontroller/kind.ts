import type { ReplicationController } from '../../../api/core_v1.js';
import {
  ageColumn,
  containerColumns,
  formatLabels,
  integer,
  nameColumn,
  wide,
} from '../../../machinery/meta/columns.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { matchesMap } from '../../../machinery/selectors/selectors.js';
import { notNegative } from '../../../machinery/meta/validation.js';
import {
  defaultPodTemplate,
  podNameWarnings,
  templateWarnings,
  validateAlwaysRestarted,
  validatePodTemplate,
} from '../pod/kind.js';
import { validateStatusCounts } from '../../status-counts.js';

const WITHIN = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validate({ spec }: ReplicationController): FieldError[] {
  const path = Path.of('spec');
  const errors = [...notNegative(path.child('minReadySeconds'), spec.minReadySeconds)];
  if (!Object.keys(spec.selector ?? {}).length) errors.push(required(path.child('selector')));
  errors.push(...notNegative(path.child('replicas'), spec.replicas));
  const template = path.child('template');
  if (!spec.template) return [...errors, required(template)];
  const labels = spec.template.metadata?.labels;
  if (Object.keys(spec.selector ?? {}).length && !matchesMap(spec.selector, labels)) {
    errors.push(
      invalidValue(template.child('metadata', 'labels'), labels ?? {}, '`selector` does not match template `labels`'),
    );
  }
  return [
    ...errors,
    ...validatePodTemplate(spec.template, template),
    ...validateAlwaysRestarted(spec.template, template, 'ReplicationController'),
  ];
}

export const kind = defineKind<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  singular: 'replicationcontroller',
  shortNames: ['rc'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.core.v1.ReplicationController',
  subresources: {
    status: true,
    scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.spec.selector' },
  },
  fieldSelectors: { 'status.replicas': (r) => String(r.status.replicas ?? 0) },
  columns: [
    nameColumn,
    integer('Desired', 'How many pods are wanted.', (r) => r.spec.replicas),
    integer('Current', 'How many pods there are.', (r) => r.status.replicas),
    integer('Ready', 'How many of them are ready.', (r) => r.status.readyReplicas),
    ageColumn,
    ...containerColumns<ReplicationController>((r) => r.spec.template),
    wide('Selector', 'Labels that select the pods.', (r) => formatLabels(r.spec.selector)),
  ],
  defaults(draft) {
    const { spec, metadata } = draft;
    const labels = spec.template?.metadata?.labels;
    if (labels && !Object.keys(spec.selector ?? {}).length) spec.selector = { ...labels };
    if (labels && !Object.keys(metadata.labels ?? {}).length) metadata.labels = { ...labels };
    spec.replicas ??= 1;
    defaultPodTemplate(spec.template);
  },
  prepareForCreate(draft) {
    draft.status = { replicas: 0 };
  },
  validate,
  validateStatusUpdate: ({ status }) =>
    validateStatusCounts(status, ['replicas', ...WITHIN, 'observedGeneration'], WITHIN, 'readyReplicas'),
  warnings: (object, old) => [
    ...podNameWarnings(object, old),
    ...templateWarnings(Path.of('spec', 'template'), object.spec.template, object, old),
  ],
});
