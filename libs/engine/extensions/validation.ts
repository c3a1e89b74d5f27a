import { deepEqual } from '../machinery/meta/equal.js';
import {
  invalidValue,
  notSupported,
  Path,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  type FieldError,
} from '../machinery/meta/field.js';
import { isObject, type Unstructured } from '../machinery/meta/object.js';
import { compilePattern } from '../machinery/regex.js';
import { hasFormat, isKnownFormat } from './formats.js';
import { validateListTypes, correlateItems, visitFields } from './list-type.js';
import { evaluateRules } from './cel/rules.js';
import { hasEmbedded, hasRules, propertyOf, type StructuralSchema } from './structural-schema.js';

/** Where errors of the whole object are: upstream prints an absent path so. */
const NOWHERE = Path.of('<nil>');
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Everything a CRD's schema asks of an object. What an update leaves as it was is not complained about (ratcheting).
 * Models apiextensions-apiserver/pkg/registry/customresource/strategy.go.
 */
export function validateCustomResource(
  object: object,
  old: object | undefined,
  schema: StructuralSchema,
): FieldError[] {
  const errors = [
    ...validateValue(schema, object, Path.of(), old),
    ...validateEmbeddedResources(schema, object, Path.of()),
    ...validateListTypes(schema, object, Path.of()),
  ];
  return [...errors, ...evaluateRulesUnlessBlocked(errors, schema, object, old)];
}

/** A change of the status alone, whose faults are told from there on. */
export function validateCustomResourceStatus(
  object: Unstructured,
  old: Unstructured,
  schema: StructuralSchema,
): FieldError[] {
  const status = propertyOf(schema, 'status');
  const errors = status ? validateValue(status, object['status'], Path.of(), old['status']).map(underStatus) : [];
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
      NOWHERE,
      null,
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ),
  ];
}

/** The schema alone, in the words of the validator that upstream uses (kube-openapi/pkg/validation). */
export const validateAgainstSchema = (
  value: unknown,
  schema: StructuralSchema,
  path = Path.of(),
  old?: unknown,
): FieldError[] => validateValue(schema, value, path, old);

/** The type and format that Go sees in a value. */
function goType(value: unknown): readonly [type: string, format: string] {
  if (value === null) return ['null', ''];
  if (Array.isArray(value)) return ['array', ''];
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? ['integer', 'int64'] : ['number', 'float64'];
  return [typeof value, ''];
}

/** Models kube-openapi/pkg/validation/validate/type.go. */
function checkType(schema: StructuralSchema, value: unknown, path: Path, body: string): FieldError[] {
  const wanted = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = schema.format && isKnownFormat(schema.type, schema.format) ? schema.format : '';
  const mismatch = (expected: string, found: string): FieldError[] => [
    typeInvalid(path, found, `${body} must be of type ${expected}: "${found}"`),
  ];
  if (wanted.length === 0 && !format) return [];
  const [type, actual] = goType(value);
  if (type === 'null') return wanted.length > 0 ? mismatch(wanted.join(','), 'null') : [];
  const fits = wanted.includes(type) || (type === 'integer' && wanted.includes('number'));
  const hasText = type === 'string' || type === 'array';
  if (!hasText && format && !fits && actual !== format) return mismatch(format, actual);
  if (hasText && format && !wanted.includes('number') && !wanted.includes('integer')) return [];
  return fits ? [] : mismatch(wanted.join(','), type);
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  float: [-3.4028234663852886e38, 3.4028234663852886e38],
};

/** Does the number fit its type and format? Models IsValueValidAgainstRange of the same package. */
function checkRange(schema: StructuralSchema, value: number, path: Path): FieldError[] {
  const known = schema.format && isKnownFormat(schema.type, schema.format) ? schema.format : '';
  const [low, high] = RANGES[known || (schema.type === 'integer' ? 'int64' : '')] ?? [-Infinity, Infinity];
  if (value >= low && value <= high && (schema.type !== 'integer' || Number.isInteger(value))) return [];
  return [
    invalidValue(
      NOWHERE,
      '',
      `Checked value must be of type ${schema.type} ${known ? `with format ${known}` : '(default format)'} in ${path.toString()}`,
    ),
  ];
}

function validateValue(schema: StructuralSchema, value: unknown, path: Path, old?: unknown): FieldError[] {
  if (value === undefined || (value === null && schema.nullable)) return [];
  const body = `${path.toString()} in body`;
  if (isUnchanged(value, old)) return [];
  const errors = checkType(schema, value, path, body);
  if (schema.enum && !schema.enum.some((e) => deepEqual(e, value)))
    errors.push(
      notSupported(
        path,
        value,
        schema.enum.map((e) => (typeof e === 'string' ? e : JSON.stringify(e))),
      ),
    );
  if (typeof value === 'number') errors.push(...checkNumber(schema, value, path, body));
  if (typeof value === 'string') errors.push(...checkText(schema, value, path, body));
  if (Array.isArray(value)) errors.push(...checkItems(schema, value, path, body, old));
  else if (isObject(value)) errors.push(...checkFields(schema, value, path, body, old));
  errors.push(...checkCombinations(schema, value, path));
  return errors;
}

const isUnchanged = (value: unknown, old: unknown): boolean => old !== undefined && deepEqual(value, old);

function checkNumber(schema: StructuralSchema, value: number, path: Path, body: string): FieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const errors = checkRange(schema, value, path);
  errors.push(...checkMultiple(multipleOf, value, path, body));
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(
      invalidValue(
        path,
        value,
        `${body} should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`,
      ),
    );
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(
      invalidValue(
        path,
        value,
        `${body} should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`,
      ),
    );
  }
  return errors;
}

/** To upstream the factor of an integer is one too. */
function checkMultiple(factor: number | undefined, value: number, path: Path, body: string): FieldError[] {
  if (factor === undefined) return [];
  const of = Number.isInteger(value) ? Math.trunc(factor) : factor;
  if (of <= 0)
    return [invalidValue(path, of, `factor MultipleOf declared for ${path.toString()} must be positive: ${of}`)];
  return isMultiple(value, of) ? [] : [invalidValue(path, value, `${body} should be a multiple of ${of}`)];
}

const isMultiple = (value: number, of: number): boolean => Number.isInteger(Number((value / of).toPrecision(12)));

function checkText(schema: StructuralSchema, value: string, path: Path, body: string): FieldError[] {
  const { type, format } = schema;
  const errors = checkTextLimits(schema, value, path, body);
  if (format !== undefined && isKnownFormat(type, format) && !hasFormat(value, format))
    errors.push(typeInvalid(path, value, `${body} must be of type ${format}: ${JSON.stringify(value)}`));
  return errors;
}

/** The first fault alone. */
function checkTextLimits(
  { minLength, maxLength, pattern }: StructuralSchema,
  value: string,
  path: Path,
  body: string,
): FieldError[] {
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) return [tooLong(path, maxLength)];
  if (minLength !== undefined && length < minLength)
    return [invalidValue(path, value, `${body} should be at least ${minLength} chars long`)];
  return pattern !== undefined && compilePattern(pattern)?.test(value) === false
    ? [invalidValue(path, value, `${body} should match '${pattern}'`)]
    : [];
}

function checkItems(
  schema: StructuralSchema,
  value: readonly unknown[],
  path: Path,
  body: string,
  old: unknown,
): FieldError[] {
  const { items, minItems, maxItems } = schema;
  const errors: FieldError[] = [];
  if (minItems !== undefined && value.length < minItems)
    errors.push(invalidValue(path, value.length, `${body} should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) return [...errors, tooMany(path, value.length, maxItems)];
  if (!items) return errors;
  const before = correlateItems(schema, old);
  return [...errors, ...value.flatMap((item, i) => validateValue(items, item, path.index(i), before?.(item)))];
}

function checkFields(
  schema: StructuralSchema,
  value: Record<string, unknown>,
  path: Path,
  body: string,
  old: unknown,
): FieldError[] {
  const { minProperties, maxProperties, additionalProperties: rest } = schema;
  const errors: FieldError[] = [];
  const names = Object.keys(value);
  for (const name of schema.required ?? []) if (value[name] === undefined) errors.push(required(path.child(name)));
  if (minProperties !== undefined && names.length < minProperties)
    errors.push(invalidValue(path, names.length, `${body} should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && names.length > maxProperties)
    errors.push(tooMany(path, names.length, maxProperties));
  const before = isObject(old) ? old : undefined;
  for (const name of names) {
    const known = propertyOf(schema, name) ?? (typeof rest === 'object' ? rest : undefined);
    if (known) errors.push(...validateValue(known, value[name], path.child(name), before?.[name]));
  }
  return errors;
}

/** What failed to combine is said of no path in particular, followed by the faults of the branch that came closest. */
function checkCombinations({ allOf, anyOf, oneOf, not }: StructuralSchema, value: unknown, path: Path): FieldError[] {
  if (!allOf && !anyOf && !oneOf && !not) return [];
  const name = JSON.stringify(path.toString());
  const faults = (schemas: readonly StructuralSchema[] | undefined): FieldError[][] =>
    (schemas ?? []).map((schema) => validateValue(schema, value, path));
  const closest = (branches: FieldError[][]): FieldError[] =>
    branches.reduce((best, next) => (next.length < best.length ? next : best));
  const say = (text: string): FieldError => invalidValue(NOWHERE, '', `${name} must ${text}`);
  const errors: FieldError[] = [];
  const any = faults(anyOf);
  if (any.length > 0 && any.every((e) => e.length > 0))
    errors.push(say('validate at least one schema (anyOf)'), ...closest(any));
  const one = faults(oneOf);
  const valid = one.filter((e) => e.length === 0).length;
  if (one.length > 0 && valid === 0)
    errors.push(say('validate one and only one schema (oneOf). Found none valid'), ...closest(one));
  else if (valid > 1) errors.push(say(`validate one and only one schema (oneOf). Found ${valid} valid alternatives`));
  const all = faults(allOf);
  const failed = all.filter((e) => e.length > 0);
  if (failed.length > 0)
    errors.push(
      ...failed.flat(),
      say(`validate all the schemas (allOf)${failed.length === all.length ? '. None validated' : ''}`),
    );
  if (not && validateValue(not, value, path).length === 0) errors.push(say('not validate the schema (not)'));
  return errors;
}

// ---- embedded objects ----

/** Objects within objects name their kind. Models apiextensions-apiserver/pkg/apiserver/schema/objectmeta. */
function validateEmbeddedResources(schema: StructuralSchema, value: unknown, path: Path): FieldError[] {
  if (!hasEmbedded(schema)) return [];
  if (Array.isArray(value))
    return schema.items
      ? value.flatMap((item, i) => validateEmbeddedResources(schema.items!, item, path.index(i)))
      : [];
  const errors: FieldError[] = [];
  if (schema['x-kubernetes-embedded-resource'] && isObject(value)) {
    for (const name of ['apiVersion', 'kind']) if (!value[name]) errors.push(required(path.child(name)));
  }
  return [...errors, ...visitFields(schema, value, path, validateEmbeddedResources)];
}
