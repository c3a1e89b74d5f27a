import type { Thing, World } from './world.js';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The NetworkPolicies that are in force for a pod. */
export function policiesOf(world: World, { namespace, labels }: Pick<Thing, 'namespace' | 'labels'>): Thing[] {
  return [...world.all('NetworkPolicy')].filter(
    (policy) => policy.namespace === namespace && selects((policy.is.selector as Selector | undefined) ?? {}, labels),
  );
}

export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'In' ? isIn : !isIn;
    })
  );
}
