import {
  ANY,
  Environment,
  functionsWith,
  mapOf,
  namesOf,
  STRING,
  TIMESTAMP,
  typeText,
  type Named,
  type Program,
  type Type,
} from '../../../machinery/cel/index.js';
import { checkLibrary, looksAround, NO_FUNCTIONS, type CheckFunctions } from './functions.js';

/** The virtual time. */
export const NOW = 'now';
/** What happens, one at a time: a change of an object, or a user's request. */
export const CHANGE = 'change';
export const REQUEST = 'request';
/** The phases of the parts that stand before this one, by name. */
export const PARTS = 'parts';

const KNOWN: Readonly<Record<string, Type>> = {
  [NOW]: TIMESTAMP,
  [CHANGE]: mapOf(STRING, ANY),
  [REQUEST]: mapOf(STRING, ANY),
  [PARTS]: mapOf(STRING, STRING),
};
/** Plural and singular names of resources; what they are called in this cluster is known only when it is asked. */
const RESOURCE = /^[a-z][a-z0-9]*$/;
const TYPES: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'int', 'list', 'map', 'string', 'type', 'uint']);

/** A program, and what it names. */
export interface Expression {
  readonly program: Program;
  readonly named: Named;
  /** It asks of each change or request whether it is meant; otherwise of the state whether it is so. */
  readonly occurrence: 'change' | 'request' | undefined;
  /** It depends on what no change tells of. */
  readonly isLook: boolean;
}

export type Compiler = (text: string) => Expression | { readonly error: string };

/** Compiles expressions of checks: cel-go says what is wrong with them. */
export function newCompiler(functions: CheckFunctions): Compiler {
  const known = functionsWith(checkLibrary(functions));
  return (text) => {
    const named = namesOf(text);
    const resources = [...named.whole, ...named.entries.keys()].filter(isResource);
    const variables = { ...Object.fromEntries(resources.map((name) => [name, ANY])), ...KNOWN };
    const compiled = new Environment({ variables }, known).compile(text);
    if (!compiled.program) return { error: compiled.error };
    const { type } = compiled.program;
    if (type.kind !== 'bool' && type.kind !== 'any')
      return { error: `must evaluate to bool, but evaluates to ${typeText(type)}` };
    const isAsked = (name: string): boolean => named.whole.has(name) || named.entries.has(name);
    const occurrence = isAsked(CHANGE) ? CHANGE : isAsked(REQUEST) ? REQUEST : undefined;
    return { program: compiled.program, named, occurrence, isLook: looksAround(named.functions) };
  };
}

export const isResource = (name: string): boolean =>
  RESOURCE.test(name) && !Object.hasOwn(KNOWN, name) && !TYPES.has(name);

/** For who only wants to know what is wrong with a text. */
export const checkExpression: Compiler = newCompiler(NO_FUNCTIONS);
