import type { CustomResourceColumnDefinition, CustomResourceDefinition, CustomResourceDefinitionNames, CustomResourceDefinitionSpec, CustomResourceDefinitionVersion, CustomResourceSubresourceScale } from '../../../api/apiextensions_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { isDNS1035Label, isDNS1123Subdomain } from '../../../machinery/validation.js';
import { each, requiredOneOf, unchanged } from '../../checks.js';
import { authorityFault } from '../../webhook/call.js';
import { validateStructure } from './structure.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Models apiextensions-apiserver/pkg/apis/apiextensions/validation ValidateCustomResourceDefinition. */
export function validateDefinition({ metadata, spec, status }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  const name = metadata.name === wanted ? [] : [invalidValue(Path.of('metadata', 'name'), metadata.name, 'must be spec.names.plural+"."+spec.group')];
  const stored = status.storedVersions?.length ? [] : [invalidValue(Path.of('status', 'storedVersions'), status.storedVersions ?? [], 'must have at least one stored version')];
  return [...name, ...validateSpec(spec, Path.of('spec')), ...stored];
}

export function validateDefinitionUpdate(next: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const path = Path.of('spec');
  const established = old.status.conditions?.some((c) => c.type === 'Established' && c.status === 'True') ?? false;
  const versions = new Set(next.spec.versions?.map((v) => v.name));
  return [
    ...(established ? unchanged(path.child('scope'), next.spec.scope, old.spec.scope) : []),
    ...(established ? unchanged(path.child('names', 'kind'), next.spec.names.kind, old.spec.names.kind) : []),
    ...unchanged(path.child('group'), next.spec.group, old.spec.group),
    ...unchanged(path.child('names', 'plural'), next.spec.names.plural, old.spec.names.plural),
    ...each(next.status.storedVersions, Path.of('status', 'storedVersions'), (v, at) => (versions.has(v) ? [] : [invalidValue(at, v, 'missing from spec.versions; v was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v and removes v from status.storedVersions'.replace(/\bv\b/g, v))])),
  ];
}

function validateSpec(spec: CustomResourceDefinitionSpec, path: Path): FieldError[] {
  const versions = spec.versions ?? [];
  const at = path.child('versions');
  const errors = [...validateGroup(spec.group, path.child('group')), ...requiredOneOf(path.child('scope'), spec.scope, ['Cluster', 'Namespaced'])];
  if (spec.preserveUnknownFields) {
    errors.push(invalidValue(path.child('preserveUnknownFields'), true, 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'));
  }
  const shared = versions.length > 0 && versions.every((v) => deepEqual(v.schema, versions[0]!.schema));
  errors.push(...each(versions, at, (version, i) => validateVersion(version, i)), ...validateShared(versions, path));
  versions.forEach((version, i) => {
    const schema = version.schema?.openAPIV3Schema;
    if (!schema || (shared && i > 0)) return;
    errors.push(...validateStructure(schema, shared ? path.child('validation', 'openAPIV3Schema') : at.index(i).child('schema', 'openAPIV3Schema')));
  });
  if (new Set(versions.map((v) => v.name)).size !== versions.length) errors.push(invalidValue(at, names(versions), 'must contain unique version names'));
  if (versions.filter((v) => v.storage).length !== 1) errors.push(invalidValue(at, names(versions), 'must have exactly one version marked as storage version'));
  return [...errors, ...validateNames(spec.names, path.child('names')), ...validateConversion(spec, path.child('conversion'))];
}

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
  if (!version.schema?.openAPIV3Schema) errors.push(required(path.child('schema', 'openAPIV3Schema'), 'schemas are required'));
  return errors;
}

/** What all versions have in common is one thing to upstream, and its errors are found there. */
function validateShared(versions: readonly CustomResourceDefinitionVersion[], path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const visit = <K extends 'subresources' | 'additionalPrinterColumns'>(field: K, check: (value: NonNullable<CustomResourceDefinitionVersion[K]>, at: Path) => FieldError[]): void => {
    const shared = versions.every((v) => deepEqual(v[field], versions[0]![field]));
    (shared ? versions.slice(0, 1) : versions).forEach((version, i) => {
      const value = version[field];
      if (value) errors.push(...check(value as NonNullable<CustomResourceDefinitionVersion[K]>, shared ? path.child(field) : path.child('versions').index(i).child(field)));
    });
  };
  visit('subresources', ({ scale }, at) => (scale ? validateScale(scale, at.child('scale')) : []));
  visit('additionalPrinterColumns', (columns, at) => each(columns, at, validateColumn));
  return errors;
}

const validateScale = (scale: CustomResourceSubresourceScale, at: Path): FieldError[] => [
  ...replicasPath(scale.specReplicasPath, '.spec.', at.child('specReplicasPath')),
  ...replicasPath(scale.statusReplicasPath, '.status.', at.child('statusReplicasPath')),
  ...(!scale.labelSelectorPath || /^\.(spec|status)\./.test(scale.labelSelectorPath) ? [] : [invalidValue(at.child('labelSelectorPath'), scale.labelSelectorPath, 'should be a json path under either .status or .spec')]),
];

const validateColumn = (column: CustomResourceColumnDefinition, i: Path): FieldError[] => [
  ...(column.name ? [] : [required(i.child('name'))]),
  ...(column.type ? (COLUMN_TYPES.includes(column.type) ? [] : [invalidValue(i.child('type'), column.type, `must be one of ${COLUMN_TYPES.join(',')}`)]) : [required(i.child('type'), `must be one of ${COLUMN_TYPES.join(',')}`)]),
  ...(!column.format || COLUMN_FORMATS.includes(column.format) ? [] : [invalidValue(i.child('format'), column.format, `must be one of ${COLUMN_FORMATS.join(',')}`)]),
  ...(column.jsonPath ? (/^[.{]/.test(column.jsonPath) ? [] : [invalidValue(i.child('jsonPath'), column.jsonPath, 'must be a simple json path starting with .')]) : [required(i.child('jsonPath'))]),
];

function replicasPath(text: string | undefined, prefix: string, path: Path): FieldError[] {
  if (!text) return [required(path)];
  return text.startsWith(prefix) ? [] : [invalidValue(path, text, `should be a json path under ${prefix.slice(0, -1)}`)];
}

function validateNames(given: CustomResourceDefinitionNames | undefined, path: Path): FieldError[] {
  const { plural, singular, kind, listKind } = given ?? { plural: '', kind: '' };
  const errors: FieldError[] = [];
  for (const [field, value, prefix] of [['plural', plural, ''], ['singular', singular, ''], ['kind', kind, MIXED_CASE], ['listKind', listKind, MIXED_CASE]] as const) {
    errors.push(...(value ? label(path.child(field), value, prefix) : [required(path.child(field))]));
  }
  errors.push(...each(given?.shortNames, path.child('shortNames'), (s, at) => label(at, s)));
  if (kind && kind === listKind) errors.push(invalidValue(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  return [...errors, ...each(given?.categories, path.child('categories'), (c, at) => label(at, c))];
}

function validateConversion({ conversion }: CustomResourceDefinitionSpec, path: Path): FieldError[] {
  if (!conversion) return [];
  const webhook = path.child('webhook');
  if (conversion.strategy === 'None') return conversion.webhook ? [forbiddenField(webhook, 'should not be set when strategy is not set to Webhook')] : [];
  if (conversion.strategy !== 'Webhook') return [notSupported(path.child('strategy'), conversion.strategy, ['None', 'Webhook'])];
  const config = webhook.child('clientConfig');
  if (!conversion.webhook?.clientConfig) return [required(config, 'required when strategy is set to Webhook')];
  const { url, service } = conversion.webhook.clientConfig;
  const errors = (url === undefined) === (service === undefined) ? [required(config, 'exactly one of url or service is required')] : [];
  const fault = authorityFault(conversion.webhook.clientConfig);
  if (fault) errors.push(invalidValue(path.child('webhookClientConfig', 'caBundle'), conversion.webhook.clientConfig.caBundle, fault));
  return conversion.webhook.conversionReviewVersions?.length ? errors : [...errors, required(webhook.child('conversionReviewVersions'))];
}
