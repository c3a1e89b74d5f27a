import type { Unstructured } from '../machinery/meta/object.js';

type Step = (values: readonly unknown[]) => unknown[];

const NAME = /^\.((?:\\.|[^.[\]\\])+)/;
const QUOTED = /^\[\s*(['"])((?:(?!\1).)*)\1\s*\]/;
const INDEX = /^\[\s*(-?\d+)\s*\]/;
const ALL = /^(?:\[\s*\*\s*\]|\.\*)/;
const FILTER = /^\[\?\(\s*@((?:\.[A-Za-z0-9_\-/]+)+)\s*==\s*(?:"([^"]*)"|'([^']*)'|([^\s)]+))\s*\)\]/;

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];
function field(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
  return [(value as Record<string, unknown>)[name]];
}

/**
 * Compiles a simple JSON path as printer columns have them: '.a.b', '[0]', '[*]', "['x']", '[?(@.type=="Ready")]'. The
 * result finds the values at the path; undefined when the text is no such path.
 */
export function compileJsonPath(text: string): ((root: unknown) => unknown[]) | undefined {
  const steps: Step[] = [];
  for (let rest = text.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, ''); rest && rest !== '.';) {
    const step = nextStep(rest);
    if (!step) return undefined;
    steps.push(step.run);
    rest = rest.slice(step.length);
  }
  return (root) => steps.reduce<unknown[]>((values, step) => step(values), [root]);
}

function nextStep(text: string): { run: Step; length: number } | undefined {
  const [all, name, quoted, index, filter] = [ALL, NAME, QUOTED, INDEX, FILTER].map((r) => r.exec(text));
  if (all) return { length: all[0].length, run: (values) => values.flatMap(childrenOf) };
  const key = name ? name[1]!.replace(/\\(.)/g, '$1') : quoted?.[2];
  if (key !== undefined)
    return { length: (name ?? quoted)![0].length, run: (values) => values.flatMap((v) => field(v, key)) };
  if (index) return { length: index[0].length, run: (values) => values.flatMap((v) => itemAt(v, Number(index[1]))) };
  if (!filter) return undefined;
  const path = filter[1]!.slice(1).split('.');
  const expected = filter[2] ?? filter[3] ?? filter[4]!;
  const matches = (item: unknown): boolean =>
    path.reduce<unknown[]>((v, n) => v.flatMap((x) => field(x, n)), [item]).some((v) => String(v) === expected);
  return { length: filter[0].length, run: (values) => values.flatMap((v) => childrenOf(v).filter(matches)) };
}

function itemAt(value: unknown, index: number): unknown[] {
  const item: unknown = Array.isArray(value) ? value.at(index) : undefined;
  return item === undefined ? [] : [item];
}

export const printValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** The value of a selectable field: the text at the path; '' when there is none. */
export function createFieldSelector(path: string): (object: Unstructured) => string {
  const find = compileJsonPath(path);
  return (object) => {
    const value = find?.(object)[0];
    return value === undefined || value === null ? '' : printValue(value);
  };
}
