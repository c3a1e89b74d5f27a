import {
  adapt,
  COST_BUDGET,
  CostError,
  EvaluationError,
  Optional,
  PER_CALL_LIMIT,
  toJson,
  type Lookup,
  type Program,
  type Value,
} from '../../machinery/cel/index.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  OMITTED,
  Path,
  required,
  type FieldError,
} from '../../machinery/meta/field.js';
import { isObject } from '../../machinery/meta/object.js';
import { correlateItems, isUnchanged } from '../schema/ratcheting.js';
import {
  additionalSchemaOf,
  hasRules,
  propertyOf,
  type StructuralSchema,
  type ValidationRule,
} from '../schema/structural-schema.js';
import { rulesOf, type CompiledRule } from './compilation.js';

const MAX_MESSAGE = 5 * 1024;
const NO_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** A value in the object. */
interface Place {
  readonly path: Path;
  readonly old: unknown;
  /** The update leaves the value, or a value that contains it, unchanged. */
  readonly unchanged: boolean;
  readonly isResource: boolean;
}

/**
 * The errors of an object by the x-kubernetes-validations of its schema. `old` is the object that an update replaces.
 * Models apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
export function evaluateRules(schema: StructuralSchema, object: unknown, old: unknown): FieldError[] {
  const run = new RuleValidation();
  run.visit(schema, object, { path: Path.of(), old, unchanged: false, isResource: true });
  return run.errors;
}

class RuleValidation {
  readonly errors: FieldError[] = [];
  private budget = COST_BUDGET;

  /**
   * Evaluates the rules of a value and of the values in it. `spine` is the schema that types the value: within allOf it
   * is the schema that the allOf belongs to.
   */
  visit(schema: StructuralSchema, value: unknown, place: Place, spine = schema): void {
    if (value === undefined || value === null || this.budget < 0 || !hasRules(schema)) return;
    const unchanged = place.unchanged || isUnchanged(value, place.old);
    this.evaluateRules(schema, value, { ...place, unchanged }, spine);
    for (const branch of schema.allOf ?? []) this.visit(branch, value, place, spine);
    if (Array.isArray(value)) this.visitItems(schema, value, { ...place, unchanged }, spine);
    else if (isObject(value)) this.visitFields(schema, value, { ...place, unchanged }, spine);
  }

  private visitItems(
    schema: StructuralSchema,
    list: readonly unknown[],
    { path, old, unchanged }: Place,
    spine: StructuralSchema,
  ): void {
    const { items } = schema;
    const inner = spine.items;
    if (!items || !inner) return;
    const findOld = correlateItems(spine, old);
    list.forEach((item, i) =>
      this.visit(
        items,
        item,
        {
          path: path.index(i),
          old: findOld?.(item),
          unchanged,
          isResource: inner['x-kubernetes-embedded-resource'] ?? false,
        },
        inner,
      ),
    );
  }

  private visitFields(
    schema: StructuralSchema,
    value: Record<string, unknown>,
    { path, old, unchanged }: Place,
    spine: StructuralSchema,
  ): void {
    const before = isObject(old) && spine['x-kubernetes-map-type'] !== 'atomic' ? old : undefined;
    const rest = additionalSchemaOf(schema);
    for (const name of Object.keys(value)) {
      const property = propertyOf(schema, name);
      const inner = property ? propertyOf(spine, name) : additionalSchemaOf(spine);
      const at = property ? path.child(name) : path.key(name);
      const next = property ?? rest;
      if (next && inner)
        this.visit(
          next,
          value[name],
          { path: at, old: before?.[name], unchanged, isResource: inner['x-kubernetes-embedded-resource'] ?? false },
          inner,
        );
    }
  }

  private evaluateRules(schema: StructuralSchema, value: unknown, place: Place, spine: StructuralSchema): void {
    const rules = rulesOf(schema, spine, place.isResource);
    if (rules.length === 0) return;
    const self = adapt(value);
    const oldSelf = place.old === undefined ? undefined : adapt(place.old);
    for (const compiled of rules) {
      if (this.budget < 0) return;
      if (compiled.usesOld && oldSelf === undefined && !compiled.rule.optionalOldSelf) continue;
      const old: Value | undefined = compiled.rule.optionalOldSelf
        ? oldSelf === undefined
          ? Optional.none
          : new Optional(oldSelf)
        : oldSelf;
      const lookup: Lookup = (name) => (name === 'self' ? self : name === 'oldSelf' ? old : undefined);
      this.evaluateRule(compiled, lookup, place, spine.type ?? '');
    }
  }

  private evaluateRule(
    { rule, program, error, message, usesOld }: CompiledRule,
    lookup: Lookup,
    place: Place,
    type: string,
  ): void {
    if (!program) {
      if (error) this.errors.push(invalidValue(pathOf(place.path), type, `rule compile error: ${error}`));
      return;
    }
    const fail = (detail: string): void => void this.errors.push(invalidValue(pathOf(place.path), type, detail));
    try {
      const { value, cost } = program.run(lookup);
      if (!this.spend(cost)) return fail(NO_BUDGET);
      if (value === true) return;
    } catch (failure) {
      if (!(failure instanceof EvaluationError)) throw failure;
      if (failure instanceof CostError) {
        this.budget = -1;
        return fail(
          `'${failure.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
        );
      }
      return fail(
        failure.message === 'no such overload'
          ? `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`
          : `${failure.message} evaluating rule: ${ruleText(rule)}`,
      );
    }
    if (!usesOld && place.unchanged) return;
    const text =
      this.evaluateMessage(message, lookup) ?? (rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`);
    this.errors.push(errorFor(blamedPath(rule, place), lookup('self'), text, rule.reason));
  }

  private spend(cost: number): boolean {
    this.budget = cost > this.budget ? -1 : this.budget - cost;
    return this.budget >= 0;
  }

  /**
   * The value of messageExpression; undefined when it fails, spans lines or is too long, so that the message is used.
   */
  private evaluateMessage(program: Program | undefined, lookup: Lookup): string | undefined {
    if (!program) return undefined;
    try {
      const { value, cost } = program.run(lookup);
      if (!this.spend(cost))
        return 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
      const text = typeof value === 'string' ? value.trim() : '';
      return text && text.length <= MAX_MESSAGE && !text.includes('\n') ? text : undefined;
    } catch (failure) {
      if (!(failure instanceof EvaluationError)) throw failure;
      this.budget -= PER_CALL_LIMIT;
      return undefined;
    }
  }
}

const pathOf = (path: Path): Path => (path.toString() ? path : Path.of('<nil>'));
/** The field that a rule blames: fieldPath below its place, ['name'] written as .name, or the place itself. */
function blamedPath({ fieldPath }: ValidationRule, { path }: Place): Path {
  if (!fieldPath) return pathOf(path);
  const below = fieldPath.replace(/\['([^']*)'\]/g, (_, key: string) => `.${key}`);
  return Path.of(`${path.toString()}${below}`.replace(/^\./, ''));
}

const ruleText = (rule: ValidationRule): string => (rule.message || rule.rule).trim();

/** The error of a rule that failed. The value is not printed when it is an object or a list. */
function errorFor(path: Path, self: Value | undefined, detail: string, reason: string | undefined): FieldError {
  const shown = toJson(self ?? null);
  const value = typeof shown === 'object' && shown !== null ? OMITTED : shown;
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalidValue(path, value, detail);
  }
}
