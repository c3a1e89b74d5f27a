import { Environment, listOf, ANY, TIMESTAMP, typeText, type Program } from '../../../machinery/cel/index.js';

const IDENTIFIER = /(?<![\w.'"])[a-z][a-z0-9]*(?=\s*[.[?])/g;
const MAX_CACHED_NAMES = 30;

/** 'now' is the virtual time; every other variable is a list of the objects of a plural name. */
export const NOW = 'now';

/** The plural names that a condition may mean, one of which a program may use or not. */
export const pluralsIn = (text: string): string[] =>
  [...new Set(text.match(IDENTIFIER) ?? [])].filter((name) => name !== NOW).slice(0, MAX_CACHED_NAMES);

/** A condition as a program, or why it is none, in cel-go's words. */
export function compileCondition(text: string): { program: Program; error?: undefined } | { error: string } {
  const plurals = Object.fromEntries(pluralsIn(text).map((name) => [name, listOf(ANY)]));
  const compiled = new Environment({ variables: { ...plurals, [NOW]: TIMESTAMP } }).compile(text);
  if (!compiled.program) return { error: compiled.error };
  const { type } = compiled.program;
  if (type.kind !== 'bool' && type.kind !== 'any')
    return { error: `must evaluate to bool, but evaluates to ${typeText(type)}` };
  return { program: compiled.program };
}
