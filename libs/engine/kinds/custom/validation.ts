import { deepEqual } from '../../machinery/equal.js';
import { invalidValue, notSupported, Path, required, tooLong, tooMany, typeInvalid, type FieldError } from '../../machinery/field.js';
import { compilePattern } from '../../machinery/regex.js';
import { hasFormat } from './formats.js';
import { checkLists, correlate, eachField } from './lists.js';
import { checkRules } from './rules.js';
import { hasEmbedded, hasRules, isFields, propertyOf, type Schema } from './schema.js';

/** Where errors of the whole object are: upstream prints an absent path so. */
const NOWHERE = Path.of('<nil>');
const BLOCKING = new Set(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany', 'FieldValueTypeInvalid']);

/**
 * Everything a CRD's schema asks of an object. What an update leaves as it was is not complained about (ratcheting).
 * Models apiextensions-apiserver/pkg/registry/customresource/strategy.go.
 */
export function validateCustom(object: object, old: object | undefined, schema: Schema): FieldError[] {
  const errors = [...check(schema, object, Path.of(), old), ...checkEmbedded(schema, object, Path.of()), ...checkLists(schema, object, Path.of())];
  if (!hasRules(schema)) return errors;
  if (errors.some((e) => BLOCKING.has(e.type))) {
    return [...errors, invalidValue(NOWHERE, 'null', 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation')];
  }
  return [...errors, ...checkRules(schema, object, old)];
}

/** The schema alone, in the words of the validator that upstream uses (kube-openapi/pkg/validation). */
export const validateBySchema = (value: unknown, schema: Schema, path = Path.of(), old?: unknown): FieldError[] => check(schema, value, path, old);

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
};

function hasType(value: unknown, schema: Schema): boolean {
  const actual = typeOf(value);
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string';
  return !schema.type || actual === schema.type || (schema.type === 'number' && actual === 'integer');
}

function check(schema: Schema, value: unknown, path: Path, old?: unknown): FieldError[] {
  if (value === undefined || (value === null && schema.nullable)) return [];
  const body = `${path.toString()} in body`;
  if (!hasType(value, schema)) {
    if (unchanged(value, old)) return [];
    const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type;
    return [typeInvalid(path, typeOf(value), `${body} must be of type ${wanted}: "${typeOf(value)}"`)];
  }
  const errors: FieldError[] = [];
  if (schema.enum && !schema.enum.some((e) => deepEqual(e, value))) errors.push(notSupported(path, value, schema.enum.map((e) => (typeof e === 'string' ? e : JSON.stringify(e)))));
  if (typeof value === 'number') errors.push(...checkNumber(schema, value, path, body));
  if (typeof value === 'string') errors.push(...checkText(schema, value, path, body));
  if (Array.isArray(value)) errors.push(...checkItems(schema, value, path, body, old));
  else if (isFields(value)) errors.push(...checkFields(schema, value, path, body, old));
  errors.push(...checkCombinations(schema, value, path));
  return errors.length > 0 && unchanged(value, old) ? [] : errors;
}

const unchanged = (value: unknown, old: unknown): boolean => old !== undefined && deepEqual(value, old);

function checkNumber(schema: Schema, value: number, path: Path, body: string): FieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const errors: FieldError[] = [];
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(invalidValue(path, value, `${body} should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(invalidValue(path, value, `${body} should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  if (multipleOf && !isMultiple(value, multipleOf)) errors.push(invalidValue(path, value, `${body} should be a multiple of ${multipleOf}`));
  return errors;
}

const isMultiple = (value: number, of: number): boolean => Number.isInteger(Number((value / of).toPrecision(12)));

function checkText({ minLength, maxLength, format, pattern }: Schema, value: string, path: Path, body: string): FieldError[] {
  const errors: FieldError[] = [];
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(path, maxLength));
  if (minLength !== undefined && length < minLength) errors.push(invalidValue(path, value, `${body} should be at least ${minLength} chars long`));
  if (pattern !== undefined && compilePattern(pattern)?.test(value) === false) errors.push(invalidValue(path, value, `${body} should match '${pattern}'`));
  if (format !== undefined && !hasFormat(value, format)) errors.push(typeInvalid(path, value, `${body} must be of type ${format}: ${JSON.stringify(value)}`));
  return errors;
}

function checkItems(schema: Schema, value: readonly unknown[], path: Path, body: string, old: unknown): FieldError[] {
  const { items, minItems, maxItems } = schema;
  const errors: FieldError[] = [];
  if (minItems !== undefined && value.length < minItems) errors.push(invalidValue(path, value.length, `${body} should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) return [...errors, tooMany(path, value.length, maxItems)];
  if (!items) return errors;
  const before = correlate(schema, old);
  return [...errors, ...value.flatMap((item, i) => check(items, item, path.index(i), before?.(item)))];
}

function checkFields(schema: Schema, value: Record<string, unknown>, path: Path, body: string, old: unknown): FieldError[] {
  const { minProperties, maxProperties, additionalProperties: rest } = schema;
  const errors: FieldError[] = [];
  const names = Object.keys(value);
  for (const name of schema.required ?? []) if (value[name] === undefined) errors.push(required(path.child(name)));
  if (minProperties !== undefined && names.length < minProperties) errors.push(invalidValue(path, names.length, `${body} should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && names.length > maxProperties) errors.push(tooMany(path, names.length, maxProperties));
  const before = isFields(old) ? old : undefined;
  for (const name of names) {
    const known = propertyOf(schema, name) ?? (typeof rest === 'object' ? rest : undefined);
    if (known) errors.push(...check(known, value[name], path.child(name), before?.[name]));
  }
  return errors;
}

/** What failed to combine is said of no path in particular, followed by the faults of the branch that came closest. */
function checkCombinations({ allOf, anyOf, oneOf, not }: Schema, value: unknown, path: Path): FieldError[] {
  if (!allOf && !anyOf && !oneOf && !not) return [];
  const name = JSON.stringify(path.toString());
  const faults = (schemas: readonly Schema[] | undefined): FieldError[][] => (schemas ?? []).map((schema) => check(schema, value, path));
  const closest = (branches: FieldError[][]): FieldError[] => branches.reduce((best, next) => (next.length < best.length ? next : best));
  const say = (text: string): FieldError => invalidValue(NOWHERE, '', `${name} must ${text}`);
  const errors: FieldError[] = [];
  const any = faults(anyOf);
  if (any.length > 0 && any.every((e) => e.length > 0)) errors.push(say('validate at least one schema (anyOf)'), ...closest(any));
  const one = faults(oneOf);
  const valid = one.filter((e) => e.length === 0).length;
  if (one.length > 0 && valid === 0) errors.push(say('validate one and only one schema (oneOf). Found none valid'), ...closest(one));
  else if (valid > 1) errors.push(say(`validate one and only one schema (oneOf). Found ${valid} valid alternatives`));
  const all = faults(allOf);
  const failed = all.filter((e) => e.length > 0);
  if (failed.length > 0) errors.push(...failed.flat(), say(`validate all the schemas (allOf)${failed.length === all.length ? '. None validated' : ''}`));
  if (not && check(not, value, path).length === 0) errors.push(say('not validate the schema (not)'));
  return errors;
}

// ---- embedded objects ----

/** Objects within objects name their kind. Models apiextensions-apiserver/pkg/apiserver/schema/objectmeta. */
function checkEmbedded(schema: Schema, value: unknown, path: Path): FieldError[] {
  if (!hasEmbedded(schema)) return [];
  if (Array.isArray(value)) return schema.items ? value.flatMap((item, i) => checkEmbedded(schema.items!, item, path.index(i))) : [];
  const errors: FieldError[] = [];
  if (schema['x-kubernetes-embedded-resource'] && isFields(value)) {
    for (const name of ['apiVersion', 'kind']) if (!value[name]) errors.push(required(path.child(name), 'must not be empty'));
  }
  return [...errors, ...eachField(schema, value, path, checkEmbedded)];
}
