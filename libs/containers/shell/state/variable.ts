import type { Bytes } from '../kernel.js';

/**
 * A variable. `flags` are the letters of `declare -p`: x exported, r readonly, i integer, l and u lower and upper case,
 * n a reference to another name, a an array, A an associative array. Elements are kept under their index.
 */
export type Variable = {
  value?: Bytes;
  elements?: Record<string, Bytes>;
  flags: string;
};
