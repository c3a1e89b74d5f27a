import type { Plain } from './process/program.js';

/** A deep copy of plain data. */
export function copyPlain<T extends Plain>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  const copy: Record<string, Plain> = {};
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, Plain | undefined>)[key];
    if (field !== undefined) copy[key] = copyPlain(field);
  }
  return copy as T;
}
