import type { StorageClass } from '../../../api/storage_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, Path, required, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidEach, isQualifiedName } from '../../../machinery/validation.js';
import { requiredOneOf, unchanged } from '../../checks.js';
import { ageColumn, column, nameOrDefaultColumn, text } from '../../columns.js';
import { validateParameters } from '../parameters.js';

export const DEFAULT_CLASS_ANNOTATIONS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** Models pkg/registry/storage/storageclass. */
export const kind = defineKind<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  singular: 'storageclass',
  shortNames: ['sc'],
  scope: 'Cluster',
  definition: 'io.k8s.api.storage.v1.StorageClass',
  columns: [
    nameOrDefaultColumn(DEFAULT_CLASS_ANNOTATIONS),
    text('Provisioner', (c) => c.provisioner),
    text('ReclaimPolicy', (c) => c.reclaimPolicy ?? 'Delete'),
    text('VolumeBindingMode', (c) => c.volumeBindingMode ?? 'Immediate'),
    column('AllowVolumeExpansion', 'string', (c) => c.allowVolumeExpansion ?? false),
    ageColumn,
  ],
  defaults(draft) {
    draft.reclaimPolicy ??= 'Delete';
    draft.volumeBindingMode ??= 'Immediate';
  },
  validate: (c) => [
    ...validateProvisioner(c.provisioner, Path.of('provisioner')),
    ...validateParameters(c.parameters ?? {}, Path.of('parameters')),
    ...requiredOneOf(Path.of('reclaimPolicy'), c.reclaimPolicy, ['Delete', 'Retain']),
    ...requiredOneOf(Path.of('volumeBindingMode'), c.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ],
  validateUpdate: (next, old) => [
    ...(deepEqual(next.parameters ?? {}, old.parameters ?? {}) ? [] : [forbiddenField(Path.of('parameters'), 'updates to parameters are forbidden.')]),
    ...(next.provisioner === old.provisioner ? [] : [forbiddenField(Path.of('provisioner'), 'updates to provisioner are forbidden.')]),
    ...(next.reclaimPolicy === old.reclaimPolicy ? [] : [forbiddenField(Path.of('reclaimPolicy'), 'updates to reclaimPolicy are forbidden.')]),
    ...unchanged(Path.of('volumeBindingMode'), next.volumeBindingMode, old.volumeBindingMode),
  ],
});

const validateProvisioner = (provisioner: string | undefined, path: Path): FieldError[] =>
  provisioner ? invalidEach(path, provisioner, isQualifiedName(provisioner.toLowerCase())) : [required(path)];
