type Fields = Readonly<Record<string, unknown>>;

const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in { ${values} }`,
  NotIn: (key, values) => `${key} not in { ${values} }`,
  Exists: (key) => `has(${key})`,
  DoesNotExist: (key) => `! has(${key})`,
};

/** A selector of labels in Calico's words. Models libcalico-go's lib/backend/k8s/conversion k8sSelectorToCalico. */
export function selectorText({ matchLabels, matchExpressions }: Fields): string {
  const labels = Object.entries((matchLabels as Readonly<Record<string, string>> | undefined) ?? {}).sort();
  const expressions = Array.isArray(matchExpressions) ? (matchExpressions as Fields[]) : [];
  const parts = [
    "projectcalico.org/orchestrator == 'k8s'",
    ...labels.map(([key, value]) => `${key} == '${value}'`),
    ...expressions.map(({ key, operator, values }) => {
      const list = Array.isArray(values) ? (values as unknown[]).map((one) => `'${String(one)}'`).join(', ') : '';
      return OPERATORS[String(operator)]?.(String(key), list) ?? '';
    }),
  ];
  return parts.join(' && ');
}
