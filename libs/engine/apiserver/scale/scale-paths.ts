/** The names on the way to a field: '.spec.replicas' -> ['spec', 'replicas']. */
export const stepsOf = (path: string): string[] => path.split('.').filter(Boolean);

/** The value of the field at a path of ScalePaths. */
export function valueAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], object);
}

/** A copy of the object in which the field at a path has this value. */
export function withValueAt(object: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [step, ...rest] = stepsOf(path);
  if (step === undefined) return object;
  if (rest.length === 0) return { ...object, [step]: value };
  const inner = (object[step] ?? {}) as Record<string, unknown>;
  return { ...object, [step]: withValueAt(inner, rest.join('.'), value) };
}
