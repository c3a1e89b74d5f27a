/** How many characters, bytes, items or entries a value has. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** Where costs and sizes end: what 64 bits hold. */
export const UNBOUNDED = 2 ** 64;
export const UNKNOWN: Size = { min: 0, max: UNBOUNDED };
export const NOTHING: Size = { min: 0, max: 0 };
export const ONE: Size = { min: 1, max: 1 };

export const cap = (n: number): number => Math.min(n, UNBOUNDED);
export const exactly = (n: number): Size => ({ min: n, max: n });
export const upTo = (max: number): Size => ({ min: 0, max });
export const plus = (a: Size, b: Size): Size => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) });
export const times = (a: Size, b: Size): Size => ({ min: cap(a.min * b.min), max: cap(a.max * b.max) });
export const union = (a: Size, b: Size): Size => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });

/** The cost of `n` units at so much each, rounded up. */
export const scale = (n: number, factor: number): number => cap(Math.ceil(n * factor));

/** What reading one character costs, and one character of a pattern. */
export const READ = 0.1;
export const PATTERN = 0.25;
