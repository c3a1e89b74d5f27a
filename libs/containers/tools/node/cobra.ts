import { UsageFailure } from '../framework/tool.js';

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^unrecognized option '(--[^']*)'$/, 'unknown flag: $1'],
  [/^invalid option -- '(.)'$/, "unknown shorthand flag: '$1' in -$1"],
  [/^option '(--[^']*)' requires an argument$/, 'flag needs an argument: $1'],
  [/^option requires an argument -- '(.)'$/, "flag needs an argument: '$1' in -$1"],
];

/** Runs a reader of options; what it refuses is said as Go's pflag says it, in a failure of the tool's own. */
export function inCobraWords<T>(read: () => T, fail: (message: string) => Error): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageFailure)) throw error;
    const found = WORDS.find(([pattern]) => pattern.test(error.message));
    throw found ? fail(error.message.replace(...found)) : error;
  }
}
