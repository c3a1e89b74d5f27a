import { invalidValue, Path, type FieldError } from '../machinery/meta/field.js';
import type { Unstructured } from '../machinery/meta/object.js';
import { evaluateRules } from './cel/rules.js';
import { validateListTypes } from './schema/list-type.js';
import { validateEmbeddedResources } from './schema/object-meta.js';
import { NO_PATH } from './schema/scalar-validation.js';
import { validateAgainstSchema } from './schema/schema-validation.js';
import { hasRules, propertyOf, type StructuralSchema } from './schema/structural-schema.js';

/** Rules are not evaluated on an object with an error of one of these types: their types would not hold. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * The errors of a custom resource by its schema, its list types and its rules; `old` is what an update replaces. Models
 * apiextensions-apiserver/pkg/registry/customresource/strategy.go.
 */
export function validateCustomResource(
  object: object,
  old: object | undefined,
  schema: StructuralSchema,
): FieldError[] {
  const errors = [
    ...validateAgainstSchema(object, schema, Path.of(), old),
    ...validateEmbeddedResources(schema, object, Path.of()),
    ...validateListTypes(schema, object, Path.of()),
  ];
  return [...errors, ...evaluateRulesUnlessBlocked(errors, schema, object, old)];
}

/** The errors of a new status of a custom resource, whose paths upstream begins at the status. */
export function validateCustomResourceStatus(
  object: Unstructured,
  old: Unstructured,
  schema: StructuralSchema,
): FieldError[] {
  const status = propertyOf(schema, 'status');
  const errors = status
    ? validateAgainstSchema(object['status'], status, Path.of(), old['status']).map(underStatus)
    : [];
  return [
    ...errors,
    ...validateEmbeddedResources(schema, object, Path.of()),
    ...validateListTypes(schema, object, Path.of()),
    ...evaluateRulesUnlessBlocked(errors, schema, object, old),
  ];
}

function underStatus(error: FieldError): FieldError {
  if (error.field === '<nil>') return error;
  const field = `status${error.field && !error.field.startsWith('[') ? '.' : ''}${error.field}`;
  return { ...error, field, message: `${field}: ${error.body}` };
}

function evaluateRulesUnlessBlocked(
  errors: readonly FieldError[],
  schema: StructuralSchema,
  object: object,
  old: object | undefined,
): FieldError[] {
  if (!hasRules(schema)) return [];
  if (!errors.some((e) => BLOCKING.has(e.type))) return evaluateRules(schema, object, old);
  return [
    invalidValue(
      NO_PATH,
      null,
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ),
  ];
}
