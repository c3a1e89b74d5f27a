import type { JSONSchemaProps } from '../../../api/apiextensions_v1.js';
import { escapeName, type Sizes } from '../../../machinery/cel/index.js';
import { forbiddenField, type FieldError, type Path } from '../../../machinery/meta/field.js';
import { environmentsOf } from '../../../extensions/cel/types.js';
import { hasRules, type ValidationRule, type StructuralSchema } from '../../../extensions/schema/structural-schema.js';
import { type Extent, estimateExtent, MAX_REQUEST, lookUpSizes } from '../../../extensions/cel/sizes.js';

const EXPRESSION_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
/** Of the most expensive expressions so many are named, when they are a hundredth of the whole. */
const MAX_NAMED = 4;
const MAX_COST = 2 ** 64;
const MAX_DEPTH = 100;
const MORE_DIGITS = 20;

interface Cost {
  readonly path: Path;
  readonly name: 'rule' | 'messageExpression';
  readonly cost: number;
}

/**
 * What the schema's expressions may cost at most. `isUnchanged` excuses single expressions: they were let in before.
 * Models apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go.
 */
export function validateCosts(schema: JSONSchemaProps, path: Path, isUnchanged: boolean): FieldError[] {
  if (!hasRules(schema as StructuralSchema)) return [];
  const costs: Cost[] = [];
  collect(schema as StructuralSchema, { path, cardinality: 1, extent: undefined, isRoot: true, depth: 0 }, costs);
  const single = isUnchanged
    ? []
    : costs
        .filter(({ cost }) => cost > EXPRESSION_LIMIT)
        .map(({ path: at, name, cost }) =>
          forbiddenField(at, excess(`estimated ${name} cost`, cost / EXPRESSION_LIMIT)),
        );
  const total = costs.reduce((sum, { cost }) => Math.min(MAX_COST, sum + cost), 0);
  if (total <= SCHEMA_LIMIT) return single;
  const greatest = costs
    .filter(({ cost }) => cost >= SCHEMA_LIMIT / 100)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, MAX_NAMED);
  return [
    ...single,
    ...greatest.map(({ path: at }) =>
      forbiddenField(at, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
    ),
    forbiddenField(
      path,
      excess('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total / SCHEMA_LIMIT),
    ),
  ];
}

function excess(what: string, factor: number): string {
  const times = factor > 100 ? 'more than 100' : decimals(factor, factor < 1.5 ? 6 : 1);
  return `${what} exceeds budget by factor of ${times}x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** As Go prints it: a half is rounded to the even digit. */
function decimals(value: number, digits: number): string {
  const [short, long] = [value.toFixed(digits), value.toFixed(digits + MORE_DIGITS)];
  return /^50*$/.test(long.slice(-MORE_DIGITS)) && /[13579]$/.test(short) ? long.slice(0, -MORE_DIGITS) : short;
}

interface Place {
  readonly path: Path;
  /** How often the place may be there in an object; undefined when only the request's size limits it. */
  readonly cardinality: number | undefined;
  /** Known within a place that has rules. */
  readonly extent: Extent | undefined;
  readonly isRoot: boolean;
  readonly depth: number;
}

/** Inner places come first. */
function collect(schema: StructuralSchema, place: Place, costs: Cost[]): void {
  if (place.depth > MAX_DEPTH || !hasRules(schema)) return;
  const { path } = place;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isResource = place.isRoot || (schema['x-kubernetes-embedded-resource'] ?? false);
  const extent = place.extent ?? (rules.length > 0 ? estimateExtent(schema, isResource) : undefined);
  const inner = (child: StructuralSchema, at: Path, of: Extent | undefined): void =>
    collect(
      child,
      {
        path: at,
        cardinality: multiplyCardinality(schema, place.cardinality),
        extent: of,
        isRoot: false,
        depth: place.depth + 1,
      },
      costs,
    );
  const rest = schema.additionalProperties;
  if (rest && typeof rest === 'object') inner(rest, path.child('additionalProperties'), extent?.item);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    inner(property, path.child('properties').key(name), extent?.fields?.get(escapeName(name) ?? ''));
  if (schema.items && !Array.isArray(schema.items)) inner(schema.items, path.child('items'), extent?.item);
  if (rules.length > 0 && extent) measure(schema, isResource, extent, place, rules, costs);
}

function measure(
  schema: StructuralSchema,
  isResource: boolean,
  extent: Extent,
  { path, cardinality }: Place,
  rules: readonly ValidationRule[],
  costs: Cost[],
): void {
  const environments = environmentsOf(schema, isResource);
  if (!environments) return;
  const sizes: Sizes = lookUpSizes(extent);
  const often = cardinality ?? Math.floor(MAX_REQUEST / (extent.minBytes + 1));
  rules.forEach(({ rule, messageExpression, optionalOldSelf }, i) => {
    const environment = optionalOldSelf ? environments.optional : environments.plain;
    const at = path.child('x-kubernetes-validations').index(i);
    const { program } = environment.compile(rule);
    if (!program) return;
    costs.push({ path: at.child('rule'), name: 'rule', cost: Math.min(MAX_COST, program.estimate(sizes) * often) });
    const message = messageExpression ? environment.compile(messageExpression).program : undefined;
    if (message)
      costs.push({ path: at.child('messageExpression'), name: 'messageExpression', cost: message.estimate(sizes) });
  });
}

function multiplyCardinality(
  { type, additionalProperties, maxProperties, maxItems }: StructuralSchema,
  cardinality: number | undefined,
): number | undefined {
  const max = type === 'array' ? maxItems : type === 'object' && additionalProperties !== undefined ? maxProperties : 1;
  return cardinality === undefined || max === undefined
    ? undefined
    : Math.min(MAX_COST, cardinality * Math.max(0, max));
}
