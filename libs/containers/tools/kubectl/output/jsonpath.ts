import { sortKeys } from './sort-keys.js';
import { KubectlFailure } from '../session/failure.js';
import { type Operand, parsePath, parseTemplate, type PathNode } from './jsonpath-parse.js';

/** Values that one path may find. */
const MAX_VALUES = 100_000;

/** Raised for a field that is not there, which a template need not allow. */
export class MissingKey extends KubectlFailure {}

interface Walk {
  readonly root: unknown;
  readonly allowMissing: boolean;
}

/** What a template prints of a value. Models client-go's jsonpath Execute. Throws KubectlFailure. */
export function printTemplate(template: string, value: unknown, allowMissing = true): string {
  return run(parseTemplate(template), value, { root: value, allowMissing });
}

function run(nodes: readonly PathNode[], value: unknown, walk: Walk): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.text;
      if (node.type === 'range')
        return follow(node.path, [value], walk)
          .map((one) => run(node.body, one, walk))
          .join('');
      const steps = node.type === 'path' ? node.steps : [node];
      return follow(steps, [value], walk).map(printValue).join(' ');
    })
    .join('');
}

/** The same as JSON: each part of the template is a list of what it leads to. Models EnableJSONOutput. */
export function printTemplateJson(template: string, value: unknown, allowMissing = true): string {
  const walk = { root: value, allowMissing };
  return parseTemplate(template)
    .flatMap((node) => {
      if (node.type === 'text') return [];
      if (node.type === 'range') throw new KubectlFailure('a range in jsonpath-as-json is not simulated');
      const found = follow(node.type === 'path' ? node.steps : [node], [value], walk);
      return [`${JSON.stringify(sortKeys(found), null, 4)}\n`];
    })
    .join('');
}

/** The values that a path leads to. `path` may stand in braces, and begin with a dot or not. */
export function findValues(path: string, value: unknown, allowMissing = true): unknown[] {
  return follow(parseRelaxed(path), [value], { root: value, allowMissing });
}

/** Models kubectl's RelaxedJSONPathExpression: `{.a}`, `.a`, `a`. */
export function parseRelaxed(path: string): PathNode[] {
  const match = /^\{?\.?([^{}]+)\}?$/.exec(path.trim());
  const inner = match?.[1];
  if (inner === undefined)
    throw new KubectlFailure(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  return parsePath(/^[[$@]/.test(inner) ? inner : `.${inner}`, path);
}

function follow(steps: readonly PathNode[], values: readonly unknown[], walk: Walk): unknown[] {
  let found = [...values];
  for (const step of steps) {
    found = found.flatMap((value) => takeStep(step, value, walk));
    if (found.length > MAX_VALUES) throw new KubectlFailure('the JSONPath expression finds too many values');
  }
  return found;
}

function takeStep(step: PathNode, value: unknown, walk: Walk): unknown[] {
  switch (step.type) {
    case 'field':
      return takeField(step.name, value, walk);
    case 'wildcard':
      return Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
    case 'recursive':
      return descend(value, 0);
    case 'slice':
      return takeSlice(step, value, walk);
    case 'union':
      return step.parts.flatMap((part) => follow(part, [value], walk));
    case 'filter':
      return (Array.isArray(value) ? value : isMap(value) ? Object.values(value) : []).filter((one) =>
        passes(step, one, walk),
      );
    default:
      return [];
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function takeField(name: string, value: unknown, { allowMissing }: Walk): unknown[] {
  if (isMap(value) && Object.hasOwn(value, name)) return [value[name]];
  if (allowMissing || value === undefined || value === null) return [];
  throw new MissingKey(`${name} is not found`);
}

const MAX_DEPTH = 100;

function descend(value: unknown, depth: number): unknown[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return [value, ...Object.values(value).flatMap((one) => descend(one, depth + 1))];
}

function takeSlice(step: Extract<PathNode, { type: 'slice' }>, value: unknown, walk: Walk): unknown[] {
  if (!Array.isArray(value)) {
    if (value === undefined || value === null || walk.allowMissing) return [];
    throw new KubectlFailure(`${typeof value} is not array or slice`);
  }
  const { length } = value;
  const from = step.from === undefined ? 0 : step.from < 0 ? step.from + length : step.from;
  if (step.single) {
    if (from < 0 || from >= length) {
      if (walk.allowMissing && length === 0) return [];
      throw new KubectlFailure(`array index out of bounds: index ${step.from}, length ${length}`);
    }
    return [value[from]];
  }
  const to = Math.min(length, step.to === undefined ? length : step.to < 0 ? step.to + length : step.to);
  const found: unknown[] = [];
  for (let at = Math.max(0, from); at < to; at += Math.max(1, step.step)) found.push(value[at]);
  return found;
}

function passes({ left, operator, right }: Extract<PathNode, { type: 'filter' }>, value: unknown, walk: Walk): boolean {
  const valuesOf = (operand: Operand): unknown[] =>
    'value' in operand
      ? [operand.value]
      : follow(operand.path, [operand.fromRoot ? walk.root : value], { ...walk, allowMissing: true });
  const [first] = valuesOf(left);
  if (operator === 'exists') return valuesOf(left).length > 0;
  if (valuesOf(left).length === 0 || right === undefined) return false;
  const [second] = valuesOf(right);
  return compare(first, second, operator);
}

function compare(a: unknown, b: unknown, operator: string): boolean {
  const [x, y] = typeof a === 'number' || typeof b === 'number' ? [Number(a), Number(b)] : [String(a), String(b)];
  switch (operator) {
    case '==':
      return x === y;
    case '!=':
      return x !== y;
    case '<':
      return x < y;
    case '>':
      return x > y;
    case '<=':
      return x <= y;
    default:
      return x >= y;
  }
}

/** Texts as they are, everything else as JSON. */
export function printValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'.slice(0, value === null ? 5 : 0);
  return typeof value === 'string' ? value : JSON.stringify(sortKeys(value));
}
