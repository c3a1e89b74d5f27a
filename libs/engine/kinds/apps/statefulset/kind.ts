import type { StatefulSet } from '../../../api/apps_v1.js';
import { ageColumn, column, containerColumns, nameColumn } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { defaultVolumeClaimSpec } from '../../core/persistentvolumeclaim/kind.js';
import { Path } from '../../../machinery/meta/field.js';
import { defaultPodTemplate, templateWarnings } from '../../core/pod/kind.js';
import { validateStatusCounts } from '../../status-counts.js';
import { validateStatefulSet, validateStatefulSetUpdate } from './validation.js';

const WITHIN = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

export const kind = defineKind<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  singular: 'statefulset',
  shortNames: ['sts'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.apps.v1.StatefulSet',
  subresources: {
    status: true,
    scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.spec.selector' },
  },
  columns: [
    nameColumn,
    column(
      'Ready',
      'How many of the wanted pods are ready.',
      (s) => `${s.status.readyReplicas ?? 0}/${s.spec.replicas ?? 0}`,
    ),
    ageColumn,
    ...containerColumns<StatefulSet>((s) => s.spec.template),
  ],
  defaults({ spec }) {
    spec.podManagementPolicy ||= 'OrderedReady';
    const strategy = (spec.updateStrategy ??= {});
    strategy.type ||= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      const rolling = (strategy.rollingUpdate ??= {});
      rolling.partition ??= 0;
      // Its feature gate is off.
      if (rolling.maxUnavailable !== undefined) delete rolling.maxUnavailable;
    }
    const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
    retention.whenDeleted ||= 'Retain';
    retention.whenScaled ||= 'Retain';
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    spec.serviceName ??= '';
    defaultPodTemplate((spec.template ??= {}));
    for (const claim of spec.volumeClaimTemplates ?? []) {
      claim.apiVersion ??= 'v1';
      claim.kind ??= 'PersistentVolumeClaim';
      claim.metadata ??= {};
      claim.spec ??= {};
      claim.status ??= { phase: 'Pending' };
      claim.status.phase ??= 'Pending';
      defaultVolumeClaimSpec(claim.spec);
    }
  },
  prepareForCreate(draft) {
    draft.status = { replicas: 0, availableReplicas: 0 };
  },
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  validateStatusUpdate: ({ status }) =>
    validateStatusCounts(
      status,
      ['replicas', ...WITHIN, 'observedGeneration', 'collisionCount'],
      WITHIN,
      'status.readyReplicas',
    ),
  warnings: (object, old) => templateWarnings(Path.of('spec', 'template'), object.spec.template, object, old),
});
