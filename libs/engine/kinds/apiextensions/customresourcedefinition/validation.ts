import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  JSONSchemaProps,
} from '../../../api/apiextensions_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooMany,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { isDNS1035Label, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { validateEach, validateRequiredEnum, validateImmutableField } from '../../field-validation.js';
import { findCaBundleError } from '../../../extensions/conversion.js';
import { validateClient, validateVersions as validateReviewVersions } from '../../admissionregistration/webhooks.js';
import type { StructuralSchema } from '../../../extensions/schema/structural-schema.js';
import { validateCosts } from './costs.js';
import { followPath } from './rules.js';
import { validateStructure } from './structure.js';

const MAX_WARNING = 256;
const MAX_SELECTABLE = 8;
const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];
const SIMPLE_PATH = 'must be a simple json path starting with .';
const ONLY_WEBHOOK = 'should not be set when strategy is not set to Webhook';
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Models apiextensions-apiserver/pkg/apis/apiextensions/validation ValidateCustomResourceDefinition. */
export function validateDefinition({ metadata, spec, status }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  const name =
    metadata.name === wanted
      ? []
      : [invalidValue(Path.of('metadata', 'name'), metadata.name, 'must be spec.names.plural+"."+spec.group')];
  return [...name, ...validateSpec(spec, Path.of('spec'), undefined), ...validateStored(status.storedVersions, spec)];
}

function validateStored(
  stored: readonly string[] | undefined,
  { versions }: CustomResourceDefinitionSpec,
): FieldError[] {
  const path = Path.of('status', 'storedVersions');
  const storage = versions?.filter((v) => v.storage).at(-1)?.name;
  if (!stored?.length) return [invalidValue(path, stored ?? null, 'must have at least one stored version')];
  return storage === undefined || stored.includes(storage)
    ? []
    : [invalidValue(path, stored, `must have the storage version ${storage}`)];
}

export function validateDefinitionUpdate(next: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const path = Path.of('spec');
  const established = old.status.conditions?.some((c) => c.type === 'Established' && c.status === 'True') ?? false;
  const versions = new Set(next.spec.versions?.map((v) => v.name));
  const fault = established && !findCaBundleError(old) ? findCaBundleError(next) : undefined;
  return [
    ...validateSpec(next.spec, path, old.spec),
    ...validateStored(next.status.storedVersions, next.spec),
    ...(fault
      ? [
          invalidValue(
            path.child('conversion', 'webhookClientConfig', 'caBundle'),
            next.spec.conversion?.webhook?.clientConfig?.caBundle,
            fault,
          ),
        ]
      : []),
    ...(established ? validateImmutableField(path.child('scope'), next.spec.scope, old.spec.scope) : []),
    ...(established
      ? validateImmutableField(path.child('names', 'kind'), next.spec.names.kind, old.spec.names.kind)
      : []),
    ...validateImmutableField(path.child('group'), next.spec.group, old.spec.group),
    ...validateImmutableField(path.child('names', 'plural'), next.spec.names.plural, old.spec.names.plural),
    ...validateEach(next.status.storedVersions, Path.of('status', 'storedVersions'), (v, at) =>
      versions.has(v)
        ? []
        : [
            invalidValue(
              at,
              v,
              'missing from spec.versions; v was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v and removes v from status.storedVersions'.replace(
                /\bv\b/g,
                v,
              ),
            ),
          ],
    ),
  ];
}

function validateSpec(
  spec: CustomResourceDefinitionSpec,
  path: Path,
  old: CustomResourceDefinitionSpec | undefined,
): FieldError[] {
  const versions = spec.versions ?? [];
  const at = path.child('versions');
  const first = versions[0]?.name ? label(path.child('version'), versions[0].name) : [];
  const errors = [
    ...validateGroup(spec.group, path.child('group')),
    ...first,
    ...validateRequiredEnum(path.child('scope'), spec.scope, ['Cluster', 'Namespaced']),
  ];
  if (spec.preserveUnknownFields) {
    errors.push(
      invalidValue(
        path.child('preserveUnknownFields'),
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  }
  const shared = versions.length > 0 && versions.every((v) => deepEqual(v.schema, versions[0]!.schema));
  errors.push(
    ...validateEach(versions, at, (version, i) => validateVersion(version, i)),
    ...validateShared(versions, path),
  );
  versions.forEach((version, i) => {
    const schema = version.schema?.openAPIV3Schema;
    if (!schema || (shared && i > 0)) return;
    const where = shared ? path.child('validation', 'openAPIV3Schema') : at.index(i).child('schema', 'openAPIV3Schema');
    if (version.subresources?.status && schema.type !== undefined && schema.type !== 'object')
      errors.push(...rootType(schema, where));
    const faults = validateStructure(schema, where);
    errors.push(...faults);
    // What is no schema has no sizes; a rule that does not compile leaves those of others.
    if (faults.every(({ field }) => OF_A_RULE.test(field ?? '')))
      errors.push(...validateCosts(schema, where, isUnchanged(version, old)));
  });
  if (new Set(versions.map((v) => v.name)).size !== versions.length)
    errors.push(invalidValue(at, names(versions), 'must contain unique version names'));
  if (versions.filter((v) => v.storage).length !== 1)
    errors.push(invalidValue(at, names(versions), 'must have exactly one version marked as storage version'));
  return [
    ...errors,
    ...validateNames(spec.names, path.child('names')),
    ...validateConversion(spec, path.child('conversion')),
  ];
}

const OF_A_RULE = /\.x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression|optionalOldSelf)$/;

function isUnchanged(version: CustomResourceDefinitionVersion, old: CustomResourceDefinitionSpec | undefined): boolean {
  const before = old?.versions?.find((v) => v.name === version.name);
  return before !== undefined && deepEqual(before.schema?.openAPIV3Schema, version.schema?.openAPIV3Schema);
}

const rootType = (schema: JSONSchemaProps, path: Path): FieldError[] => [
  invalidValue(
    path.child('type'),
    schema.type,
    'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
  ),
];

const names = (versions: readonly CustomResourceDefinitionVersion[]): string[] => versions.map((v) => v.name);

function validateGroup(group: string | undefined, path: Path): FieldError[] {
  if (!group) return [required(path)];
  const messages = isDNS1123Subdomain(group);
  if (messages.length) return [invalidValue(path, group, messages.join(','))];
  return group.includes('.') ? [] : [invalidValue(path, group, 'should be a domain with at least one dot')];
}

const label = (path: Path, value: string, prefix = ''): FieldError[] => {
  const messages = isDNS1035Label(prefix ? value.toLowerCase() : value);
  return messages.length ? [invalidValue(path, value, prefix + messages.join(','))] : [];
};
const MIXED_CASE = 'may have mixed case, but should otherwise match: ';

function validateVersion(version: CustomResourceDefinitionVersion, path: Path): FieldError[] {
  const errors = label(path.child('name'), version.name ?? '');
  if (!version.schema?.openAPIV3Schema) errors.push(required(path.child('schema', 'openAPIV3Schema')));
  const { deprecationWarning: warning, deprecated } = version;
  const at = path.child('deprecationWarning');
  if (warning !== undefined && !deprecated)
    errors.push(invalidValue(at, warning, 'can only be set for deprecated versions'));
  else if (warning === '') errors.push(invalidValue(at, warning, 'must not be an empty string'));
  if ((warning?.length ?? 0) > MAX_WARNING)
    errors.push(invalidValue(at, warning, `must be <= ${MAX_WARNING} characters long`));
  return [...errors, ...validateSelectable(version, path)];
}

/** What all versions have in common is one thing to upstream, and its errors are found there. */
function validateShared(versions: readonly CustomResourceDefinitionVersion[], path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const visit = <K extends 'subresources' | 'additionalPrinterColumns'>(
    field: K,
    check: (value: NonNullable<CustomResourceDefinitionVersion[K]>, at: Path) => FieldError[],
  ): void => {
    const shared = versions.every((v) => deepEqual(v[field], versions[0]![field]));
    (shared ? versions.slice(0, 1) : versions).forEach((version, i) => {
      const value = version[field];
      if (value)
        errors.push(
          ...check(
            value as NonNullable<CustomResourceDefinitionVersion[K]>,
            shared ? path.child(field) : path.child('versions').index(i).child(field),
          ),
        );
    });
  };
  visit('subresources', ({ scale }, at) => (scale ? validateScale(scale, at.child('scale')) : []));
  visit('additionalPrinterColumns', (columns, at) => validateEach(columns, at, validateColumn));
  return errors;
}

const validateScale = (scale: CustomResourceSubresourceScale, at: Path): FieldError[] => [
  ...replicasPath(scale.specReplicasPath, '.spec.', at.child('specReplicasPath')),
  ...replicasPath(scale.statusReplicasPath, '.status.', at.child('statusReplicasPath')),
  ...(scale.labelSelectorPath && !scale.labelSelectorPath.startsWith('.')
    ? [invalidValue(at.child('labelSelectorPath'), scale.labelSelectorPath, SIMPLE_PATH)]
    : !scale.labelSelectorPath || /^\.(spec|status)\./.test(scale.labelSelectorPath)
      ? []
      : [
          invalidValue(
            at.child('labelSelectorPath'),
            scale.labelSelectorPath,
            'should be a json path under either .status or .spec',
          ),
        ]),
];

const validateColumn = (column: CustomResourceColumnDefinition, i: Path): FieldError[] => [
  ...(column.name ? [] : [required(i.child('name'))]),
  ...(column.type
    ? COLUMN_TYPES.includes(column.type)
      ? []
      : [invalidValue(i.child('type'), column.type, `must be one of ${COLUMN_TYPES.join(',')}`)]
    : [required(i.child('type'), `must be one of ${COLUMN_TYPES.join(',')}`)]),
  ...(!column.format || COLUMN_FORMATS.includes(column.format)
    ? []
    : [invalidValue(i.child('format'), column.format, `must be one of ${COLUMN_FORMATS.join(',')}`)]),
  ...(column.jsonPath
    ? /^[.{]/.test(column.jsonPath)
      ? []
      : [invalidValue(i.child('JSONPath'), column.jsonPath, SIMPLE_PATH)]
    : [required(i.child('JSONPath'))]),
];

function replicasPath(text: string | undefined, prefix: string, path: Path): FieldError[] {
  if (!text) return [required(path)];
  if (!text.startsWith('.')) return [invalidValue(path, text, SIMPLE_PATH)];
  return text.startsWith(prefix)
    ? []
    : [invalidValue(path, text, `should be a json path under ${prefix.slice(0, -1)}`)];
}

function validateNames(given: CustomResourceDefinitionNames | undefined, path: Path): FieldError[] {
  const { plural, singular, kind, listKind } = given ?? { plural: '', kind: '' };
  const errors: FieldError[] = [];
  for (const [field, value, prefix] of [
    ['plural', plural, ''],
    ['singular', singular, ''],
    ['kind', kind, MIXED_CASE],
    ['listKind', listKind, MIXED_CASE],
  ] as const) {
    errors.push(...(value ? label(path.child(field), value, prefix) : [required(path.child(field))]));
  }
  errors.push(...validateEach(given?.shortNames, path.child('shortNames'), (s, at) => label(at, s)));
  if (kind && kind === listKind)
    errors.push(invalidValue(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  return [...errors, ...validateEach(given?.categories, path.child('categories'), (c, at) => label(at, c))];
}

function validateConversion({ conversion }: CustomResourceDefinitionSpec, path: Path): FieldError[] {
  if (!conversion) return [];
  const { strategy, webhook } = conversion;
  const [config, reviews] = [path.child('webhookClientConfig'), path.child('conversionReviewVersions')];
  const errors = validateRequiredEnum(path.child('strategy'), strategy, ['None', 'Webhook']);
  if (strategy !== 'Webhook') {
    if (webhook?.clientConfig) errors.push(forbiddenField(config, ONLY_WEBHOOK));
    return webhook?.conversionReviewVersions?.length ? [...errors, forbiddenField(reviews, ONLY_WEBHOOK)] : errors;
  }
  const client = webhook?.clientConfig
    ? validateClient(webhook.clientConfig, config)
    : [required(config, 'required when strategy is set to Webhook')];
  return [
    ...errors,
    ...client,
    ...(webhook?.conversionReviewVersions?.length
      ? validateReviewVersions(webhook.conversionReviewVersions, reviews)
      : [required(reviews)]),
  ];
}

function validateSelectable({ selectableFields, schema }: CustomResourceDefinitionVersion, path: Path): FieldError[] {
  const at = path.child('selectableFields');
  const root = schema?.openAPIV3Schema;
  if (!selectableFields?.length) return [];
  if (!root) return [invalidValue(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included')];
  const seen = new Set<string>();
  const errors = validateEach(selectableFields, at, ({ jsonPath }, i) => {
    const where = i.child('jsonPath');
    if (!jsonPath) return [required(where)];
    if (/^(?:\.[^.[]+)+\[\d+\]/.test(jsonPath))
      return [invalidValue(where, jsonPath, 'is an invalid path: array notation is not allowed')];
    const found = followPath(jsonPath, root as StructuralSchema);
    if (typeof found === 'string') return [invalidValue(where, jsonPath, `is an invalid path: ${found}`)];
    const problems = SELECTABLE_TYPES.includes(found.type ?? '')
      ? []
      : [
          invalidValue(
            where,
            jsonPath,
            'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
          ),
        ];
    if (seen.has(jsonPath)) problems.push(duplicate(where, jsonPath));
    seen.add(jsonPath);
    return problems;
  });
  return seen.size > MAX_SELECTABLE ? [...errors, tooMany(at, seen.size, MAX_SELECTABLE)] : errors;
}
