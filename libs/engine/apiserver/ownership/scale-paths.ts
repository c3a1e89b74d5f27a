/** The places that ScalePaths name. */

/** '.spec.replicas' -> ['spec', 'replicas'] */
export const stepsOf = (path: string): string[] => path.split('.').filter(Boolean);

export function valueAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], object);
}

/** A copy of the object that differs at one path. */
export function withValue(object: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [step, ...rest] = stepsOf(path);
  if (step === undefined) return object;
  const inner =
    rest.length === 0 ? value : withValue((object[step] ?? {}) as Record<string, unknown>, rest.join('.'), value);
  return { ...object, [step]: inner };
}
