import { RE2JS } from 're2js';
import { PgFailure } from '../failure.js';

/** A regular expression that takes linear time. Throws 2201B. */
export function compilePattern(pattern: string, ignoresCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new PgFailure('2201B', `invalid regular expression: ${error instanceof Error ? error.message : pattern}`);
  }
}
