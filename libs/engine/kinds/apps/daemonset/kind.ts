import type { DaemonSet } from '../../../api/apps_v1.js';
import {
  ageColumn,
  column,
  containerColumns,
  formatLabels,
  integer,
  nameColumn,
  selectorColumn,
} from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { Path } from '../../../machinery/meta/field.js';
import { defaultPodTemplate, templateWarnings } from '../../core/pod/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { validateStatusCounts } from '../../status-counts.js';
import { validateDaemonSet, validateDaemonSetUpdate } from './validation.js';

const GENERATION = 'deprecated.daemonset.template.generation';
const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];
const generationOf = ({ metadata }: DaemonSet): number => Number(metadata.annotations?.[GENERATION]) || 1;

/** Writes the generation of the template to its annotation, which has replaced spec.templateGeneration. */
function setGeneration(draft: DaemonSet, generation: number): void {
  if (draft.metadata.annotations?.[GENERATION] === String(generation)) return;
  draft.metadata.annotations = { ...draft.metadata.annotations, [GENERATION]: String(generation) };
}

export const kind = defineKind<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  singular: 'daemonset',
  shortNames: ['ds'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.apps.v1.DaemonSet',
  subresources: { status: true },
  columns: [
    nameColumn,
    integer('Desired', 'How many nodes should run its pod.', (d) => d.status.desiredNumberScheduled),
    integer('Current', 'How many of them do.', (d) => d.status.currentNumberScheduled),
    integer('Ready', 'How many of those pods are ready.', (d) => d.status.numberReady),
    integer('Up-to-date', 'How many are made from the current template.', (d) => d.status.updatedNumberScheduled),
    integer('Available', 'How many have been ready for long enough.', (d) => d.status.numberAvailable),
    column('Node Selector', 'Labels of the nodes it is meant for.', (d) =>
      formatLabels(d.spec.template.spec?.nodeSelector),
    ),
    ageColumn,
    ...containerColumns<DaemonSet>((d) => d.spec.template),
    selectorColumn<DaemonSet>((d) => d.spec.selector),
  ],
  defaults({ spec }) {
    const strategy = (spec.updateStrategy ??= {});
    strategy.type ||= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      const rolling = (strategy.rollingUpdate ??= {});
      rolling.maxUnavailable ??= 1;
      rolling.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    defaultPodTemplate((spec.template ??= {}));
  },
  prepareForCreate(draft) {
    draft.status = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
    setGeneration(draft, generationOf(draft));
  },
  prepareForUpdate(draft, old) {
    setGeneration(draft, generationOf(old) + (deepEqual(draft.spec.template, old.spec.template) ? 0 : 1));
  },
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  validateStatusUpdate: ({ status }) => validateStatusCounts(status, COUNTS, []),
  warnings: (object, old) => templateWarnings(Path.of('spec', 'template'), object.spec.template, object, old),
});
