import { hex, sha256 } from '../../../engine/machinery/crypto/sha256.js';

export const MAX_NAME = 63;
const HASH_LENGTH = 8;

/** '<name>-<suffix>'; one that would be too long has a hash in it. Models internal/framework/controller/resource.go. */
export function resourceName(name: string, suffix: string): string {
  const full = `${name}-${suffix}`;
  if (full.length <= MAX_NAME) return full;
  const hash = hex(sha256(full)).slice(0, HASH_LENGTH);
  const budget = MAX_NAME - HASH_LENGTH - 2;
  const end = suffix.length >= budget ? suffix.slice(0, budget - 1) : suffix;
  return `${name.slice(0, budget - end.length).replace(/-{1,63}$/, '')}-${hash}-${end}`;
}
