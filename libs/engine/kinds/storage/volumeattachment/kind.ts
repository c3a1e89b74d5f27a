import type { VolumeAttachment, VolumeAttachmentSpec, VolumeAttachmentStatus } from '../../../api/storage_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { between, immutable, invalidEach, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { validateCSIDriverName } from '../../csi-driver-name.js';
import { asInternal, type Struct } from '../../internal.js';

const SPEC: Struct = { Attacher: '', Source: { PersistentVolumeName: null, InlineVolumeSpec: null }, NodeName: '' };
const MAX_METADATA_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 1024;
const MAX_INT32 = 2 ** 31 - 1;

/** Models pkg/registry/storage/volumeattachment. */
export const kind = defineKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  singular: 'volumeattachment',
  scope: 'Cluster',
  returnsDeleted: true,
  needsVersion: true,
  definition: 'io.k8s.api.storage.v1.VolumeAttachment',
  subresources: { status: true },
  generation: false,
  columns: [
    nameColumn,
    { ...text<VolumeAttachment>('Attacher', (a) => a.spec.attacher), format: 'name' },
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
  statusKeeps: ['annotations', 'finalizers', 'labels', 'ownerReferences'],
  validate: ({ spec }) => validateSpec(spec, Path.of('spec')),
  validateUpdate: (next, old) =>
    immutable(Path.of('spec'), asInternal(SPEC, next.spec), deepEqual(next.spec, old.spec)),
  validateStatusUpdate: ({ spec, status }) => [
    ...validateSpec(spec, Path.of('spec')),
    ...validateStatus(status, Path.of('status')),
  ],
});

function validateSpec(spec: VolumeAttachmentSpec, path: Path): FieldError[] {
  const volume = spec.source?.persistentVolumeName;
  const at = path.child('source');
  return [
    ...validateCSIDriverName(path.child('attacher'), spec.attacher),
    ...(volume === undefined && !spec.source?.inlineVolumeSpec
      ? [required(at, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName')]
      : []),
    ...(volume !== undefined && spec.source.inlineVolumeSpec
      ? [forbiddenField(at, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName')]
      : []),
    ...(volume === ''
      ? [required(at.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')]
      : []),
    ...invalidEach(path.child('nodeName'), spec.nodeName ?? '', isDNS1123Subdomain(spec.nodeName ?? '')),
    ...(volume === undefined ? [] : invalidEach(at.child('persistentVolumeName'), volume, isDNS1123Subdomain(volume))),
  ];
}

function validateStatus(status: VolumeAttachmentStatus, path: Path): FieldError[] {
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  const errors = size > MAX_METADATA_BYTES ? [tooLong(path.child('attachmentMetadata'), MAX_METADATA_BYTES)] : [];
  for (const field of ['attachError', 'detachError'] as const) {
    const { message = '', errorCode = 0 } = status[field] ?? {};
    const at = path.child(field);
    if (message.length > MAX_MESSAGE_BYTES) errors.push(tooLong(at.child('message'), MAX_METADATA_BYTES));
    if (errorCode < 0) errors.push(invalidValue(at.child('errorCode'), errorCode, between(0, MAX_INT32)));
  }
  return errors;
}
