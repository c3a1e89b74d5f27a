import type { LabelSelector } from '../meta/object.js';
import { formatRequirements, matchesTerm, type LabelOperator, type Labels, type Requirement } from './requirement.js';

const NONE: readonly string[] = [];
const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

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
    if (!matchesTerm(OPERATORS[e.operator], e.key, e.values ?? NONE, labels)) return false;
  return true;
}

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

/** As tables print a selector: '<none>' when it is missing or empty. Models metav1.FormatLabelSelector. */
export const formatLabelSelector = (selector: LabelSelector | undefined): string =>
  (selector && formatRequirements(requirementsOf(selector))) || '<none>';

/** A map as a selector, ordered by key ('a=b,c=d'); '' when empty. Models labels.Set.String. */
export const formatMap = (map: Labels | undefined): string =>
  Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(',');
