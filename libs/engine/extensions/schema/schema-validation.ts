import { deepEqual } from '../../machinery/meta/equal.js';
import { invalidValue, notSupported, Path, required, tooMany, type FieldError } from '../../machinery/meta/field.js';
import { isObject } from '../../machinery/meta/object.js';
import { correlateItems, isUnchanged } from './ratcheting.js';
import { checkNumber, checkText, checkType, NO_PATH } from './scalar-validation.js';
import { fieldSchemaOf, type StructuralSchema } from './structural-schema.js';

/**
 * The errors of a value that the schema alone finds, in the words of kube-openapi; what an update leaves unchanged has
 * none. Models kube-openapi/pkg/validation/validate/schema.go.
 */
export function validateAgainstSchema(
  value: unknown,
  schema: StructuralSchema,
  path = Path.of(),
  old?: unknown,
): FieldError[] {
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
  const findOld = correlateItems(schema, old);
  return [...errors, ...value.flatMap((item, i) => validateAgainstSchema(item, items, path.index(i), findOld?.(item)))];
}

function checkFields(
  schema: StructuralSchema,
  value: Record<string, unknown>,
  path: Path,
  body: string,
  old: unknown,
): FieldError[] {
  const { minProperties, maxProperties } = schema;
  const errors: FieldError[] = [];
  const names = Object.keys(value);
  for (const name of schema.required ?? []) if (value[name] === undefined) errors.push(required(path.child(name)));
  if (minProperties !== undefined && names.length < minProperties)
    errors.push(invalidValue(path, names.length, `${body} should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && names.length > maxProperties)
    errors.push(tooMany(path, names.length, maxProperties));
  const before = isObject(old) ? old : undefined;
  for (const name of names) {
    const known = fieldSchemaOf(schema, name);
    if (known) errors.push(...validateAgainstSchema(value[name], known, path.child(name), before?.[name]));
  }
  return errors;
}

/**
 * The errors of allOf, anyOf, oneOf and not: without a path, and followed by the errors of the branch that has the
 * fewest. Models kube-openapi/pkg/validation/validate/schema_props.go.
 */
function checkCombinations({ allOf, anyOf, oneOf, not }: StructuralSchema, value: unknown, path: Path): FieldError[] {
  if (!allOf && !anyOf && !oneOf && !not) return [];
  const name = JSON.stringify(path.toString());
  const branchErrors = (schemas: readonly StructuralSchema[] | undefined): FieldError[][] =>
    (schemas ?? []).map((schema) => validateAgainstSchema(value, schema, path));
  const closest = (branches: FieldError[][]): FieldError[] =>
    branches.reduce((best, next) => (next.length < best.length ? next : best));
  const fail = (text: string): FieldError => invalidValue(NO_PATH, '', `${name} must ${text}`);
  const errors: FieldError[] = [];
  const any = branchErrors(anyOf);
  if (any.length > 0 && any.every((e) => e.length > 0))
    errors.push(fail('validate at least one schema (anyOf)'), ...closest(any));
  const one = branchErrors(oneOf);
  const valid = one.filter((e) => e.length === 0).length;
  if (one.length > 0 && valid === 0)
    errors.push(fail('validate one and only one schema (oneOf). Found none valid'), ...closest(one));
  else if (valid > 1) errors.push(fail(`validate one and only one schema (oneOf). Found ${valid} valid alternatives`));
  const all = branchErrors(allOf);
  const failed = all.filter((e) => e.length > 0);
  if (failed.length > 0)
    errors.push(
      ...failed.flat(),
      fail(`validate all the schemas (allOf)${failed.length === all.length ? '. None validated' : ''}`),
    );
  if (not && validateAgainstSchema(value, not, path).length === 0) errors.push(fail('not validate the schema (not)'));
  return errors;
}
