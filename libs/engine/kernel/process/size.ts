import type { Plain } from './plain.js';

/** Values that one measurement looks at: what is deeper counts as nothing. */
const MAX_VALUES = 2_000;
const VALUE_BYTES = 16;
/** The memory of a process is measured after so many steps. */
export const MEASURED_STEPS = 1_000;

/** Bytes of plain data, about: a bounded look at it. */
export function sizeOfPlain(data: Plain | undefined): number {
  const left: (Plain | undefined)[] = [data];
  let bytes = 0;
  for (let seen = 0; left.length > 0 && seen < MAX_VALUES; seen++) {
    const value = left.pop();
    bytes += VALUE_BYTES;
    if (typeof value === 'string') bytes += value.length;
    else if (Array.isArray(value)) addAll(left, value);
    else if (typeof value === 'object' && value !== null) addAll(left, Object.values(value));
  }
  return bytes;
}

function addAll(left: (Plain | undefined)[], values: readonly Plain[]): void {
  for (let i = 0; i < values.length && i < MAX_VALUES; i++) left.push(values[i]);
}
