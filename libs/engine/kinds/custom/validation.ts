import { deepEqual } from '../../machinery/equal.js';
import { invalidValue, notSupported, Path, required, tooLong, tooMany, typeInvalid, type FieldError } from '../../machinery/field.js';
import { isFields, type Schema } from './schema.js';

/** Errors in the words of the validator that upstream uses (kube-openapi/pkg/validation). */
export const validateBySchema = (object: object, schema: Schema): FieldError[] => check(schema, object, Path.of());

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

function check(schema: Schema, value: unknown, path: Path): FieldError[] {
  if (value === undefined || (value === null && schema.nullable)) return [];
  const body = `${path.toString()} in body`;
  if (!hasType(value, schema)) {
    const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type;
    return [typeInvalid(path, typeOf(value), `${body} must be of type ${wanted}: "${typeOf(value)}"`)];
  }
  const errors: FieldError[] = [];
  if (schema.enum && !schema.enum.some((e) => deepEqual(e, value))) errors.push(notSupported(path, value, schema.enum.map(String)));
  if (typeof value === 'number') errors.push(...checkNumber(schema, value, path, body));
  if (typeof value === 'string') errors.push(...checkText(schema, value, path, body));
  if (Array.isArray(value)) errors.push(...checkItems(schema, value, path, body));
  else if (isFields(value)) errors.push(...checkFields(schema, value, path, body));
  return [...errors, ...checkCombinations(schema, value, path, body)];
}

function checkNumber(schema: Schema, value: number, path: Path, body: string): FieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const errors: FieldError[] = [];
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(invalidValue(path, value, `${body} should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(invalidValue(path, value, `${body} should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (multipleOf && !Number.isInteger(value / multipleOf)) errors.push(invalidValue(path, value, `${body} should be a multiple of ${multipleOf}`));
  return errors;
}

function checkText({ minLength, maxLength, format }: Schema, value: string, path: Path, body: string): FieldError[] {
  const errors: FieldError[] = [];
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) errors.push(invalidValue(path, value, `${body} should be at least ${minLength} chars long`));
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(path, maxLength));
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) errors.push(invalidValue(path, value, `${body} must be of type date-time: "${value}"`));
  return errors;
}

function checkItems({ items, minItems, maxItems }: Schema, value: readonly unknown[], path: Path, body: string): FieldError[] {
  const errors: FieldError[] = [];
  if (minItems !== undefined && value.length < minItems) errors.push(invalidValue(path, value.length, `${body} should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) return [...errors, tooMany(path, value.length, maxItems)];
  return items ? [...errors, ...value.flatMap((item, i) => check(items, item, path.index(i)))] : errors;
}

function checkFields(schema: Schema, value: Record<string, unknown>, path: Path, body: string): FieldError[] {
  const { minProperties, maxProperties, properties, additionalProperties: rest } = schema;
  const errors: FieldError[] = [];
  const names = Object.keys(value);
  for (const name of schema.required ?? []) if (value[name] === undefined) errors.push(required(path.child(name)));
  if (minProperties !== undefined && names.length < minProperties) errors.push(invalidValue(path, names.length, `${body} should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && names.length > maxProperties) errors.push(tooMany(path, names.length, maxProperties));
  for (const name of names) {
    const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) errors.push(...check(known, value[name], path.child(name)));
    else if (typeof rest === 'object') errors.push(...check(rest, value[name], path.child(name)));
  }
  return errors;
}

function checkCombinations({ allOf, anyOf, oneOf, not }: Schema, value: unknown, path: Path, body: string): FieldError[] {
  const holds = (schema: Schema): boolean => check(schema, value, path).length === 0;
  const errors = (allOf ?? []).flatMap((schema) => check(schema, value, path));
  if (anyOf?.length && !anyOf.some(holds)) errors.push(invalidValue(path, value, `${body} must validate at least one schema (anyOf)`));
  const matching = oneOf && isDecidable(oneOf) ? oneOf.filter(holds).length : 1;
  if (matching !== 1) errors.push(invalidValue(path, value, `${body} must validate one and only one schema (oneOf). Found ${matching || 'none'} valid`));
  if (not && isDecidable(not) && holds(not)) errors.push(invalidValue(path, value, `${body} must not validate the schema (not)`));
  return errors;
}

/** A branch that differs from the others by a pattern alone would seem to hold, since patterns are not checked. */
function isDecidable(branches: Schema | readonly Schema[]): boolean {
  const known = decidable.get(branches);
  if (known !== undefined) return known;
  const answer = !/"(pattern|format|uniqueItems)":/.test(JSON.stringify(branches));
  decidable.set(branches, answer);
  return answer;
}
const decidable = new WeakMap<object, boolean>();
