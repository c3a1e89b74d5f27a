import { isObject } from '../../../machinery/meta/object.js';
import type { JSONSchemaProps, ValidationRule } from '../../../api/apiextensions_v1.js';
import { mayBe } from '../../../machinery/cel/index.js';
import { invalidValue, notSupported, required, type FieldError, type Path } from '../../../machinery/meta/field.js';
import { environmentsOf } from '../../../extensions/cel/types.js';
import { evaluateRules } from '../../../extensions/cel/rules.js';
import { applyDefaults } from '../../../extensions/schema/defaulting.js';
import { prune } from '../../../extensions/schema/pruning.js';
import { validateAgainstSchema } from '../../../extensions/schema/schema-validation.js';
import { hasRules, type StructuralSchema } from '../../../extensions/schema/structural-schema.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { validateEach } from '../../field-validation.js';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/**
 * The x-kubernetes-validations and the default of one place in a schema. Models
 * apiextensions-apiserver/pkg/apis/apiextensions/validation.
 */
export function validateRules(
  props: JSONSchemaProps,
  path: Path,
  isRoot: boolean,
  uncorrelated: Path | undefined,
): FieldError[] {
  const schema = props as StructuralSchema;
  return [
    ...validateDefault(schema, path, isRoot),
    ...validateEach(props['x-kubernetes-validations'], path.child('x-kubernetes-validations'), (rule, at) =>
      validateRule(rule, at, { schema, isRoot, uncorrelated }),
    ),
  ];
}

interface Place {
  readonly schema: StructuralSchema;
  readonly isRoot: boolean;
  readonly uncorrelated: Path | undefined;
}

function validateRule(rule: ValidationRule, path: Path, place: Place): FieldError[] {
  if (!rule.rule?.trim()) return [required(path.child('rule'), 'rule is not specified')];
  const errors = [...validateMessage(rule, path)];
  if (rule.reason !== undefined && !REASONS.includes(rule.reason))
    errors.push(notSupported(path.child('reason'), rule.reason, REASONS));
  const found = rule.fieldPath === undefined ? undefined : followPath(rule.fieldPath, place.schema);
  if (typeof found === 'string')
    errors.push(invalidValue(path.child('fieldPath'), rule.fieldPath, `fieldPath must be a valid path: ${found}`));
  return [...errors, ...compile(rule, path, place)];
}

function validateMessage({ message, rule }: ValidationRule, path: Path): FieldError[] {
  const at = path.child('message');
  if (message !== undefined && message !== '' && !message.trim())
    return [invalidValue(at, message, 'message must be non-empty if specified')];
  if (message?.trim().includes('\n')) return [invalidValue(at, message, 'message must not contain line breaks')];
  return !message && rule.trim().includes('\n')
    ? [required(at, 'message must be specified if rule contains line breaks')]
    : [];
}

function compile(rule: ValidationRule, path: Path, { schema, isRoot, uncorrelated }: Place): FieldError[] {
  const environments = environmentsOf(schema, isRoot || (schema['x-kubernetes-embedded-resource'] ?? false));
  if (!environments) return [];
  const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
  const { program, error } = environment.compile(rule.rule);
  const shown = goRule(rule);
  const errors: FieldError[] = [];
  if (error !== undefined) errors.push(invalidValue(path.child('rule'), shown, `compilation failed: ${error}`));
  else if (!mayBe(program.type, 'bool'))
    errors.push(invalidValue(path.child('rule'), shown, 'cel expression must evaluate to a bool'));
  else if (uncorrelated && program.uses('oldSelf'))
    errors.push(
      invalidValue(
        path.child('rule'),
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`,
      ),
    );
  else if (rule.optionalOldSelf !== undefined && !program.uses('oldSelf'))
    errors.push(
      invalidValue(
        path.child('optionalOldSelf'),
        rule.optionalOldSelf,
        'may not be set if oldSelf is not used in rule',
      ),
    );
  if (!rule.messageExpression) return errors;
  const message = environment.compile(rule.messageExpression);
  const at = path.child('messageExpression');
  if (message.error !== undefined)
    errors.push(invalidValue(at, shown, `messageExpression compilation failed: ${message.error}`));
  else if (!mayBe(message.program.type, 'string'))
    errors.push(invalidValue(at, shown, 'messageExpression must evaluate to a string'));
  return errors;
}

/** The rule as Go prints its struct. */
const goRule = (rule: ValidationRule): object => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});

/** What '.spec.x' or ".map['key']" leads to; a text says what is wrong with the path. */
export function followPath(text: string, root: StructuralSchema): StructuralSchema | string {
  let schema: StructuralSchema = root;
  for (let rest = text; rest;) {
    const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (!step) return `expected [ or . but got: ${/^[^.[]+/.exec(rest)?.[0] ?? rest}`;
    const name: string = step[1] ?? step[2]!;
    const inner: StructuralSchema | undefined = schema.properties
      ? schema.properties[name]
      : typeof schema.additionalProperties === 'object'
        ? schema.additionalProperties
        : undefined;
    if (!inner) return 'does not refer to a valid field';
    schema = inner;
    rest = rest.slice(step[0].length);
  }
  return schema;
}

/** A default is a whole, valid value of the place that it is for. */
function validateDefault(schema: StructuralSchema, path: Path, isRoot: boolean): FieldError[] {
  const value = schema.default;
  if (value === undefined) return [];
  const at = path.child('default');
  const errors: FieldError[] = [];
  if (!deepEqual(prune(schema, value, isRoot), value))
    errors.push(invalidValue(at, value, 'must not have unknown fields'));
  const filled = applyDefaults(schema, value);
  // Upstream's validator knows only the path within the default.
  errors.push(...validateAgainstSchema(filled, schema).map((e) => prefixPath(e, at)));
  if (isRoot || schema['x-kubernetes-embedded-resource'])
    errors.push(
      ...['apiVersion', 'kind']
        .filter((name) => isObject(filled) && !filled[name])
        .map((name) => required(at.child(name))),
    );
  if (errors.length || !hasRules(schema)) return errors;
  return evaluateRules(schema, filled, undefined).map((e) => prefixPath(e, at));
}

function prefixPath(error: FieldError, path: Path): FieldError {
  const field =
    error.field && error.field !== '<nil>' ? path.child(error.field).toString().replace('.[', '[') : path.toString();
  return { ...error, field, message: `${field}: ${error.body}` };
}
