import type { ApiObject } from '../../session/session.js';

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The selector of what has pods, as a query has it; undefined without one. */
export function selectorText(object: ApiObject): string | undefined {
  const selector = ((object['spec'] ?? {}) as { selector?: unknown }).selector;
  if (typeof selector !== 'object' || selector === null) return undefined;
  const found = selector as LabelSelector & Readonly<Record<string, string>>;
  const isPlain = !('matchLabels' in selector) && !('matchExpressions' in selector);
  const text = isPlain ? formatMap(found) : formatSelector(found);
  return text === '' ? undefined : text;
}

const formatMap = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** Models metav1.FormatLabelSelector. */
export function formatSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    const list = [...values].sort().join(',');
    switch (operator) {
      case 'In':
        return `${key} in (${list})`;
      case 'NotIn':
        return `${key} notin (${list})`;
      case 'Exists':
        return key;
      default:
        return `!${key}`;
    }
  });
  return [...(Object.keys(matchLabels).length > 0 ? [formatMap(matchLabels)] : []), ...expressions].join(',');
}
