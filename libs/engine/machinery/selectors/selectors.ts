import type { LabelSelector } from '../meta/object.js';
import { badRequest } from '../meta/status.js';

export type Labels = Readonly<Record<string, string>>;

export type LabelOperator = 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One term of a label selector; `exact` terms ('a=b', 'a!=b') print as they were written. */
export interface Requirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  readonly exact?: boolean;
}

/** Every pair of `map` is in `labels`; an empty or missing map matches nothing, as a Service's selector. */
export function matchesMap(map: Labels | undefined, labels: Labels | undefined): boolean {
  if (!map) return false;
  let some = false;
  for (const key in map) {
    if (labels?.[key] !== map[key]) return false;
    some = true;
  }
  return some;
}

/** undefined selects nothing, {} everything. Models metav1.LabelSelectorAsSelector. */
export function matchesLabelSelector(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  if (!selector) return false;
  const { matchLabels, matchExpressions } = selector;
  for (const key in matchLabels) if (labels?.[key] !== matchLabels[key]) return false;
  for (const e of matchExpressions ?? [])
    if (!holds(OPERATORS[e.operator], e.key, e.values ?? NONE, labels)) return false;
  return true;
}

const NONE: readonly string[] = [];
const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function holds(
  operator: LabelOperator | undefined,
  key: string,
  values: readonly string[],
  labels: Labels | undefined,
): boolean {
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
      return isInteger(value) && Number(value) > Number(values[0]);
    case 'lt':
      return isInteger(value) && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

const isInteger = (text: string | undefined): boolean => text !== undefined && /^[+-]?\d+$/.test(text);

export const matchesRequirements = (requirements: readonly Requirement[], labels: Labels | undefined): boolean =>
  requirements.every((r) => holds(r.operator, r.key, r.values, labels));

/** The selector's terms, ordered by key. */
export function requirementsOf(selector: LabelSelector): Requirement[] {
  const fromLabels = Object.entries(selector.matchLabels ?? {}).map(([key, value]): Requirement => ({
    key,
    operator: 'in',
    values: [value],
    exact: true,
  }));
  const fromExpressions = (selector.matchExpressions ?? []).map((e): Requirement => ({
    key: e.key,
    operator: OPERATORS[e.operator] ?? 'in',
    values: e.values ?? [],
  }));
  return [...fromLabels, ...fromExpressions].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** 'app=web,tier in (a,b),!x'. */
export const formatRequirements = (requirements: readonly Requirement[]): string =>
  requirements.map(formatRequirement).join(',');

function formatRequirement(r: Requirement): string {
  switch (r.operator) {
    case 'exists':
      return r.key;
    case '!':
      return `!${r.key}`;
    case 'gt':
      return `${r.key}>${r.values[0]}`;
    case 'lt':
      return `${r.key}<${r.values[0]}`;
    default:
      if (r.exact) return `${r.key}${r.operator === 'in' ? '=' : '!='}${r.values[0]}`;
      return `${r.key} ${r.operator} (${[...r.values].sort().join(',')})`;
  }
}

/** As tables print a selector: '<none>' when it is missing or empty. Models metav1.FormatLabelSelector. */
export const formatLabelSelector = (selector: LabelSelector | undefined): string =>
  (selector && formatRequirements(requirementsOf(selector))) || '<none>';

/** A map as a selector, ordered by key ('a=b,c=d'); '' when empty. Models labels.Set.String. */
export const formatMap = (map: Labels | undefined): string =>
  Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(',');

/** Terms of a field selector: 'status.phase!=Running,metadata.name=a'. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Models apimachinery/pkg/fields ParseSelector; throws 400. */
export function parseFieldSelector(text: string): FieldTerm[] {
  return splitTerms(text).map((term) => {
    const found = /^((?:\\.|[^\\=!])*?)(!=|==|=)((?:\\.|[^\\])*)$/s.exec(term);
    if (!found) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    return { field: found[1]!, equal: found[2] !== '!=', value: unescapeValue(found[3]!, text) };
  });
}

function splitTerms(text: string): string[] {
  const terms = text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? [];
  if (terms.length > MAX_TERMS) throw badRequest(`invalid selector: more than ${MAX_TERMS} terms`);
  return terms;
}

const MAX_TERMS = 1_000;

function unescapeValue(value: string, text: string): string {
  const escaped = /\\(?:[^\\,=]|$)/s.exec(value)?.[0];
  if (escaped) throw badRequest(`invalid field selector: invalid escape sequence: ${escaped}`);
  const bad = /^[^\\]*?(?<!\\)=/s.exec(value);
  if (bad) throw badRequest(`invalid selector: '${text}'; can't understand '${value}'`);
  return value.replace(/\\([\\,=])/g, '$1');
}

export { parseLabelSelector } from './parser.js';
