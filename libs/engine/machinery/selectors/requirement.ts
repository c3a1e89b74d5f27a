export type Labels = Readonly<Record<string, string>>;

export type LabelOperator = 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One term of a label selector; `exact` terms ('a=b', 'a!=b') print as they were written. */
export interface Requirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  readonly exact?: boolean;
}

/** Whether labels meet one requirement. Models labels.Requirement.Matches. */
export function matchesTerm(
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
  requirements.every((r) => matchesTerm(r.operator, r.key, r.values, labels));

/** As text: 'app=web,tier in (a,b),!x'. Models labels.Selector.String. */
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
