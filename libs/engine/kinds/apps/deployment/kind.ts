import type { Deployment } from '../../../api/apps_v1.js';
import {
  ageColumn,
  column,
  containerColumns,
  count,
  nameColumn,
  selectorColumn,
} from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { Path } from '../../../machinery/meta/field.js';
import { defaultPodTemplate, podNameWarnings, templateWarnings } from '../../core/pod/kind.js';
import { validateDeployment, validateDeploymentStatus, validateDeploymentUpdate } from './validation.js';

export const kind = defineKind<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.apps.v1.Deployment',
  subresources: {
    status: true,
    scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.spec.selector' },
  },
  columns: [
    nameColumn,
    column(
      'Ready',
      'How many of the wanted pods are ready.',
      (d) => `${d.status.readyReplicas ?? 0}/${d.spec.replicas ?? 0}`,
    ),
    count('Up-to-date', 'How many pods are made from the current template.', (d) => d.status.updatedReplicas),
    count('Available', 'How many pods have been ready for long enough.', (d) => d.status.availableReplicas),
    ageColumn,
    ...containerColumns<Deployment>((d) => d.spec.template),
    selectorColumn<Deployment>((d) => d.spec.selector),
  ],
  defaults({ spec }) {
    spec.replicas ??= 1;
    const strategy = (spec.strategy ??= {});
    strategy.type ||= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      const rolling = (strategy.rollingUpdate ??= {});
      rolling.maxUnavailable ??= '25%';
      rolling.maxSurge ??= '25%';
    }
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    defaultPodTemplate((spec.template ??= {}));
  },
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate(draft, old) {
    if (!deepEqual(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {}))
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  statusKeeps: ['labels'],
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatus,
  warnings: (object, old) => [
    ...podNameWarnings(object, old),
    ...templateWarnings(Path.of('spec', 'template'), object.spec.template, object, old),
  ],
});
