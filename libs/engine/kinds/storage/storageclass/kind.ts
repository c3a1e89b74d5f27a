import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../../api/core_v1.js';
import type { StorageClass } from '../../../api/storage_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { duplicate, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { immutable, invalidEach, isQualifiedName } from '../../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum, validateImmutableField } from '../../field-validation.js';
import { ageColumn, column, nameOrDefaultColumn, text } from '../../columns.js';
import { validateParameters } from '../parameters.js';
import { validateProvisioner } from '../provisioner.js';

export const DEFAULT_CLASS_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Models pkg/registry/storage/storageclass. */
export const kind = defineKind<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  singular: 'storageclass',
  shortNames: ['sc'],
  scope: 'Cluster',
  returnsDeleted: true,
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
    ...(c.reclaimPolicy ? validateOptionalEnum(Path.of('reclaimPolicy'), c.reclaimPolicy, ['Delete', 'Retain']) : []),
    ...validateOptionalEnum(Path.of('volumeBindingMode'), c.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
    ...validateTopologies(c.allowedTopologies ?? [], Path.of('allowedTopologies')),
  ],
  validateUpdate: (next, old) => [
    ...immutable(Path.of('parameters'), next.parameters, deepEqual(next.parameters ?? {}, old.parameters ?? {})),
    ...validateImmutableField(Path.of('provisioner'), next.provisioner, old.provisioner),
    ...validateImmutableField(Path.of('reclaimPolicy'), next.reclaimPolicy, old.reclaimPolicy),
    ...validateImmutableField(Path.of('volumeBindingMode'), next.volumeBindingMode, old.volumeBindingMode),
  ],
});

/**
 * Models pkg/apis/storage/validation validateAllowedTopologies; a term without expressions equals upstream's empty
 * first ones.
 */
function validateTopologies(terms: readonly TopologySelectorTerm[], path: Path): FieldError[] {
  const seen: unknown[] = [];
  return validateEach(terms, path, (term, at) => {
    const values: Record<string, string[]> = {};
    const expressions = at.child('matchLabelExpressions');
    const errors = validateEach(term.matchLabelExpressions, expressions, (expression, i) => {
      const repeated = Object.hasOwn(values, expression.key) ? [duplicate(i.child('key'), expression.key)] : [];
      values[expression.key] = [...new Set(expression.values)].sort();
      return [...validateTopology(expression, i), ...repeated];
    });
    if (Object.keys(values).length === 0) errors.push(...terms.map(() => duplicate(expressions, '')));
    errors.push(...seen.filter((earlier) => deepEqual(earlier, values)).map(() => duplicate(expressions, '')));
    seen.push(values);
    return errors;
  });
}

function validateTopology({ key, values }: TopologySelectorLabelRequirement, path: Path): FieldError[] {
  const seen = new Set<string>();
  const errors = values?.length ? [] : [required(path.child('values'))];
  errors.push(
    ...validateEach(values, path.child('values'), (value, at) => {
      const repeated = seen.has(value) ? [duplicate(at, value)] : [];
      seen.add(value);
      return repeated;
    }),
  );
  return [...errors, ...invalidEach(path.child('key'), key, isQualifiedName(key))];
}
