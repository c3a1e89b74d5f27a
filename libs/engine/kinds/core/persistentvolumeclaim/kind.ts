import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../api/core_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { columns } from './table.js';
import { claimWarnings, validateClaim, validateClaimStatusUpdate, validateClaimUpdate } from './validation.js';

export { accessModesText, storageClassOf } from './table.js';
export { claimSpecWarnings, validateAccessModes, validateClaimSpec } from './validation.js';

export function defaultVolumeClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  spec.resources ??= {};
}

/**
 * Copies dataSource to dataSourceRef and back. Only claims and snapshots may be named in dataSource alone, and a
 * dataSourceRef of another namespace is dropped: its feature gate is off. Models NormalizeDataSources.
 */
function normalizeSources(spec: PersistentVolumeClaimSpec): void {
  if (spec.dataSourceRef?.namespace) delete spec.dataSourceRef;
  const { dataSource: old, dataSourceRef: ref } = spec;
  if (old && !ref) {
    const known = old.apiGroup
      ? old.kind === 'VolumeSnapshot' && old.apiGroup === 'snapshot.storage.k8s.io'
      : old.kind === 'PersistentVolumeClaim';
    if (known) spec.dataSourceRef = { ...old };
    else delete spec.dataSource;
  } else if (ref && !old) spec.dataSource = { ...ref };
}

export const kind = defineKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  singular: 'persistentvolumeclaim',
  shortNames: ['pvc'],
  scope: 'Namespaced',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.PersistentVolumeClaim',
  generation: false,
  subresources: { status: true },
  columns,
  defaults(draft) {
    defaultVolumeClaimSpec(draft.spec);
    draft.status.phase ??= 'Pending';
  },
  prepareForCreate(draft) {
    draft.status = { phase: 'Pending' };
    normalizeSources(draft.spec);
  },
  prepareForUpdate(draft) {
    normalizeSources(draft.spec);
  },
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  validateStatusUpdate: validateClaimStatusUpdate,
  warnings: claimWarnings,
});
