import {
  Environment,
  listOf,
  mapOf,
  ANY,
  STRING,
  TIMESTAMP,
  typeText,
  type Program,
} from '../../../machinery/cel/index.js';

const IDENTIFIER = /(?<![\w.'"])[a-z][a-z0-9]*(?=\s*[.[?])/g;
const MAX_CACHED_NAMES = 30;

/**
 * 'now' is the virtual time; every other variable is a list of the objects of a plural name, or a map of those of a
 * singular one.
 */
export const NOW = 'now';

/** The plural names that a condition may mean, one of which a program may use or not. */
export const pluralsIn = (text: string): string[] =>
  [...new Set(text.match(IDENTIFIER) ?? [])].filter((name) => name !== NOW).slice(0, MAX_CACHED_NAMES);

/** `deployment['shop/web']`, `'shop/web' in deployment`: as checks ask for one object. */
const BY_NAME = /(?<![\w.'"])([a-z][a-z0-9]*)\s*\[\s*['"]|\bin\s+([a-z][a-z0-9]*)\b(?!\s*[.?[(])/g;

/** The singular names that a condition asks by the names of objects. */
export const singularsIn = (text: string): string[] =>
  [...new Set([...text.matchAll(BY_NAME)].map(([, own, tested]) => own ?? tested ?? ''))].slice(0, MAX_CACHED_NAMES);

/** A condition as a program, or why it is none, in cel-go's words. */
export function compileCondition(text: string): { program: Program; error?: undefined } | { error: string } {
  const plurals = Object.fromEntries(pluralsIn(text).map((name) => [name, listOf(ANY)]));
  const singulars = Object.fromEntries(singularsIn(text).map((name) => [name, mapOf(STRING, ANY)]));
  const variables = { ...plurals, ...singulars, [NOW]: TIMESTAMP };
  const compiled = new Environment({ variables }).compile(text);
  if (!compiled.program) return { error: compiled.error };
  const { type } = compiled.program;
  if (type.kind !== 'bool' && type.kind !== 'any')
    return { error: `must evaluate to bool, but evaluates to ${typeText(type)}` };
  return { program: compiled.program };
}
