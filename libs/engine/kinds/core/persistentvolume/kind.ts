import type { PersistentVolume } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn, wide } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { timestamp } from '../../../machinery/time/time.js';
import { accessModesText, storageClassOf } from '../persistentvolumeclaim/kind.js';
import { defaultSources } from '../volume-defaults.js';
import { validateVolume, validateVolumeUpdate, volumeWarnings } from './validation.js';

const UNSET = '<unset>';

export const kind = defineKind<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  singular: 'persistentvolume',
  shortNames: ['pv'],
  scope: 'Cluster',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.PersistentVolume',
  generation: false,
  subresources: { status: true },
  columns: [
    nameColumn,
    column('Capacity', 'Size of the volume.', (v) => v.spec.capacity?.['storage'] ?? '0'),
    column('Access Modes', 'How the volume may be mounted.', (v) => accessModesText(v.spec.accessModes)),
    column(
      'Reclaim Policy',
      'What becomes of the volume when its claim is gone.',
      (v) => v.spec.persistentVolumeReclaimPolicy ?? '',
    ),
    column('Status', 'Phase of the volume.', (v) =>
      v.metadata.deletionTimestamp === undefined ? (v.status.phase ?? '') : 'Terminating',
    ),
    column('Claim', 'Claim that the volume is bound to.', ({ spec: { claimRef } }) =>
      claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
    ),
    column('StorageClass', 'Storage class of the volume.', storageClassOf),
    column(
      'VolumeAttributesClass',
      'Attributes class of the volume.',
      (v) => v.spec.volumeAttributesClassName ?? UNSET,
    ),
    column('Reason', 'Why the volume is in its phase.', (v) => v.status.reason ?? ''),
    ageColumn,
    wide('VolumeMode', 'Filesystem or Block.', (v) => v.spec.volumeMode ?? UNSET),
  ],
  defaults({ spec, status }) {
    status.phase ??= 'Pending';
    spec.persistentVolumeReclaimPolicy ??= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    defaultSources(spec);
  },
  prepareForCreate(draft, context) {
    draft.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(context.now) };
  },
  prepareForStatusUpdate(draft, old, context) {
    if (
      draft.status.phase !== old.status.phase &&
      draft.status.lastPhaseTransitionTime === old.status.lastPhaseTransitionTime
    ) {
      draft.status = { ...draft.status, lastPhaseTransitionTime: timestamp(context.now) };
    }
  },
  validate: validateVolume,
  validateUpdate: validateVolumeUpdate,
  warnings: volumeWarnings,
});
