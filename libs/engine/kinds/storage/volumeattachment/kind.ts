import type { VolumeAttachment, VolumeAttachmentSpec } from '../../../api/storage_v1.js';
import { Path, required, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { isDNS1123Subdomain } from '../../../machinery/validation.js';
import { requiredText, unchanged } from '../../checks.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { validateDriverName } from '../../drivers.js';

/** Models pkg/registry/storage/volumeattachment. */
export const kind = defineKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  singular: 'volumeattachment',
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.storage.v1.VolumeAttachment',
  subresources: { status: true },
  generation: false,
  columns: [
    nameColumn,
    text('Attacher', (a) => a.spec.attacher),
    text('PV', (a) => a.spec.source?.persistentVolumeName ?? ''),
    text('Node', (a) => a.spec.nodeName),
    column('Attached', 'boolean', (a) => a.status.attached ?? false),
    ageColumn,
  ],
  prepareForCreate(draft) {
    draft.status = { attached: false };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: ({ spec }) => validateSpec(spec, Path.of('spec')),
  validateUpdate: (next, old) => unchanged(Path.of('spec'), next.spec, old.spec),
});

function validateSpec(spec: VolumeAttachmentSpec, path: Path): FieldError[] {
  const volume = spec.source?.persistentVolumeName;
  const at = path.child('source');
  return [
    ...validateDriverName(path.child('attacher'), spec.attacher),
    ...(volume === undefined && !spec.source?.inlineVolumeSpec ? [required(at, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName')] : []),
    ...(volume === '' ? [required(at.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')] : []),
    ...requiredText(path.child('nodeName'), spec.nodeName, isDNS1123Subdomain),
  ];
}
