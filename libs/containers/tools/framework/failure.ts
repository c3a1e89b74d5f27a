import { SystemError } from '../../../engine/kernel/errno.js';

/** Ends a tool: `NAME: MESSAGE` on standard error, and this exit code. */
export class ToolFailure extends Error {
  constructor(
    message: string,
    readonly code = 1,
  ) {
    super(message);
  }
}

/** A wrong command line: after the message comes the hint of the tool's flavour (GNU's `Try`, busybox's usage). */
export class UsageFailure extends Error {}

/** Ends a tool with this on standard output and exit code 0: --help and --version. */
export class HelpAnswer extends Error {}

/** The words of strerror(3) for a SystemError; anything else is thrown on. */
export function strerror(error: unknown): string {
  if (error instanceof SystemError) return error.message;
  throw error;
}
