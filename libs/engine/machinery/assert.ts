/** A broken promise of our own code: halts the one cluster it happens in. Never thrown for a user's mistake. */
export class AssertionError extends Error {}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
