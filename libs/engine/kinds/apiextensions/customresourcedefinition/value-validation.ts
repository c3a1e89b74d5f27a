import type { JSONSchemaProps } from '../../../api/apiextensions_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { forbiddenField, invalidValue, required, type FieldError, type Path } from '../../../machinery/meta/field.js';
import { patternFault } from '../../../machinery/text/regex.js';

const EMPTY = 'must be empty to be structural';
const UNDEFINED = 'must be undefined to be structural';
const FALSE = 'must be false to be structural';
const FORBIDDEN: Readonly<Record<string, string>> = {
  type: EMPTY,
  title: EMPTY,
  description: EMPTY,
  additionalProperties: UNDEFINED,
  default: UNDEFINED,
  externalDocs: UNDEFINED,
  nullable: FALSE,
  'x-kubernetes-preserve-unknown-fields': FALSE,
  'x-kubernetes-embedded-resource': FALSE,
  'x-kubernetes-int-or-string': FALSE,
  'x-kubernetes-list-map-keys': EMPTY,
  'x-kubernetes-list-type': UNDEFINED,
  'x-kubernetes-map-type': UNDEFINED,
  'x-kubernetes-validations': EMPTY,
};
const MAX_DEPTH = 100;
const INT_OR_STRING: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

type Branch = readonly [schema: JSONSchemaProps, path: Path];

/**
 * allOf, anyOf, oneOf and not: they restrict values and say nothing of the structure. Models
 * apiextensions-apiserver/pkg/apiserver/schema validateValueValidation.
 */
export function validateValueValidation(schema: JSONSchemaProps, path: Path): FieldError[] {
  return [
    ...pattern(schema, path),
    ...branches(schema, path).flatMap(([branch, at]) => [
      ...validateNested(branch, at, 0),
      ...complete(schema, path, branch, at),
    ]),
  ];
}

/** An integer or string is written as one of two shapes that are exempt. */
function branches(schema: JSONSchemaProps, path: Path): Branch[] {
  const found: Branch[] = [];
  if (!deepEqual(schema.anyOf, INT_OR_STRING))
    schema.anyOf?.forEach((s, i) => found.push([s, path.child('anyOf').index(i)]));
  schema.allOf?.forEach((s, i) => {
    const exempt = i === 0 && deepEqual(s.anyOf, INT_OR_STRING);
    const { anyOf: _, ...rest } = s;
    found.push([exempt ? rest : s, path.child('allOf').index(i)]);
  });
  schema.oneOf?.forEach((s, i) => found.push([s, path.child('oneOf').index(i)]));
  if (schema.not) found.push([schema.not, path.child('not')]);
  return found;
}

function validateNested(schema: JSONSchemaProps, path: Path, depth: number): FieldError[] {
  if (depth > MAX_DEPTH) return [forbiddenField(path, `schemas may not be nested deeper than ${MAX_DEPTH} levels`)];
  const fields = schema as Readonly<Record<string, unknown>>;
  const errors = pattern(schema, path);
  for (const [field, why] of Object.entries(FORBIDDEN)) {
    const value = fields[field];
    if (value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0))
      errors.push(forbiddenField(path.child(field), why));
  }
  for (const [branch, at] of branches(schema, path)) errors.push(...validateNested(branch, at, depth + 1));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = path.child('properties').key(name);
    if (name === 'metadata') errors.push(forbiddenField(at, 'must not be specified in a nested context'));
    errors.push(...validateNested(property, at, depth + 1));
  }
  const items = schema.items as JSONSchemaProps | undefined;
  return items && !Array.isArray(items)
    ? [...errors, ...validateNested(items, path.child('items'), depth + 1)]
    : errors;
}

function pattern({ pattern: text }: JSONSchemaProps, path: Path): FieldError[] {
  const fault = text ? patternFault(text) : undefined;
  return fault
    ? [invalidValue(path.child('pattern'), text, `must be a valid regular expression, but isn't: ${fault}`)]
    : [];
}

/**
 * What a branch speaks of is part of the structure too. Models
 * apiextensions-apiserver/pkg/apiserver/schema/complete.go.
 */
function complete(schema: JSONSchemaProps | undefined, path: Path, branch: JSONSchemaProps, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    const [mine, here, there] = [
      schema?.properties?.[name],
      path.child('properties').key(name),
      at.child('properties').key(name),
    ];
    if (!mine) errors.push(required(here, `because it is defined in ${there.toString()}`));
    else errors.push(...complete(mine, here, property, there));
  }
  const items = branch.items as JSONSchemaProps | undefined;
  if (items) {
    const mine = schema?.items as JSONSchemaProps | undefined;
    if (!mine) errors.push(required(path.child('items'), `because it is defined in ${at.child('items').toString()}`));
    else errors.push(...complete(mine, path.child('items'), items, at.child('items')));
  }
  for (const [inner, deeper] of branches(branch, at)) errors.push(...complete(schema, path, inner, deeper));
  return errors;
}
