import { ApiFailure, KubectlFailure } from '../kubectl/session/failure.js';

/** Ends helm with `Error: MESSAGE`. */
export class HelmFailure extends KubectlFailure {}

/** Does something, and puts words, if any, before what it fails with. */
export function withPrefix<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined || prefix === '') throw error;
    throw new HelmFailure(`${prefix}: ${message}`);
  }
}

/** The words of a failure; undefined: it is none of helm's or the server's. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof ApiFailure) return error.message;
  // What a wrong flag says of the help is kubectl's.
  if (error instanceof KubectlFailure) return error.message.replace(/\nSee '.*$/s, '');
  return undefined;
}
