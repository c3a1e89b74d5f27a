import type { ReplicaSet } from '../../../api/apps_v1.js';
import { ageColumn, containerColumns, integer, nameColumn, selectorColumn } from '../../../machinery/meta/columns.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { immutable, notNegative } from '../../../machinery/meta/validation.js';
import { toInternalForm } from '../../internal-form.js';
import {
  defaultPodTemplate,
  podNameWarnings,
  templateWarnings,
  validateAlwaysRestarted,
  validatePodTemplate,
  validateSelectedTemplate,
} from '../../core/pod/kind.js';
import { validateStatusCounts } from '../../status-counts.js';

const path = Path.of('spec');
const WITHIN = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validate({ spec }: ReplicaSet): FieldError[] {
  const template = path.child('template');
  return [
    ...notNegative(path.child('replicas'), spec.replicas),
    ...notNegative(path.child('minReadySeconds'), spec.minReadySeconds),
    ...validateSelectedTemplate(spec.selector, spec.template ?? {}, path, 'deployment', () => [
      ...validatePodTemplate(spec.template, template),
      ...validateAlwaysRestarted(spec.template, template, 'ReplicaSet'),
    ]),
  ];
}

export const kind = defineKind<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  singular: 'replicaset',
  shortNames: ['rs'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.apps.v1.ReplicaSet',
  subresources: {
    status: true,
    scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.spec.selector' },
  },
  columns: [
    nameColumn,
    integer('Desired', 'How many pods are wanted.', (r) => r.spec.replicas),
    integer('Current', 'How many pods there are.', (r) => r.status.replicas),
    integer('Ready', 'How many of them are ready.', (r) => r.status.readyReplicas),
    ageColumn,
    ...containerColumns<ReplicaSet>((r) => r.spec.template),
    selectorColumn<ReplicaSet>((r) => r.spec.selector),
  ],
  defaults({ spec }) {
    spec.replicas ??= 1;
    defaultPodTemplate((spec.template ??= {}));
  },
  prepareForCreate(draft) {
    draft.status = { replicas: 0 };
  },
  validate,
  validateUpdate: (next, old) =>
    immutable(
      path.child('selector'),
      toInternalForm('*LabelSelector', next.spec.selector),
      deepEqual(next.spec.selector, old.spec.selector),
    ),
  validateStatusUpdate: ({ status }) =>
    validateStatusCounts(
      status,
      ['replicas', ...WITHIN, 'observedGeneration', 'terminatingReplicas'],
      WITHIN,
      'readyReplicas',
    ),
  warnings: (object, old) => [
    ...podNameWarnings(object, old),
    ...templateWarnings(Path.of('spec', 'template'), object.spec.template, object, old),
  ],
});
