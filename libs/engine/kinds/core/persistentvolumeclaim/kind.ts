import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../api/core_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { columns } from './table.js';
import { validateClaim, validateClaimUpdate } from './validation.js';

export { accessModesText, storageClassOf } from './table.js';
export { validateAccessModes, validateClaimSpec } from './validation.js';

export function defaultVolumeClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  spec.resources ??= {};
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace) spec.dataSource = { ...spec.dataSourceRef };
}

export const kind = defineKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  singular: 'persistentvolumeclaim',
  shortNames: ['pvc'],
  scope: 'Namespaced',
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
  },
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
});
