import {
  everyOf,
  NOW,
  partName,
  PARTS,
  partsOf,
  sharesOf,
  wordOf,
  type Check,
  type CheckPartSpec,
  type Compiler,
  type Expression,
  type Word,
} from '../kinds/terrarium/check/kind.js';
import type { Millis } from '../machinery/time/time.js';
import { filterOf, type Filter } from './occurrence.js';

const ENDPOINTS = 'endpointslices';

/** One part of a check, with its programs. */
export interface CompiledPart {
  readonly name: string;
  readonly spec: CheckPartSpec;
  readonly share: number;
  readonly word: Word;
  /** Absent: it is a probe. */
  readonly main: Expression | undefined;
  readonly after: Expression | undefined;
  readonly until: Expression | undefined;
  /** Of one that asks of changes or requests. */
  readonly filter: Filter;
  readonly every: Millis;
  /** No change tells of what it asks for. */
  readonly isPolled: boolean;
  /** It names the phases of other parts. */
  readonly usesParts: boolean;
  /** Names of resources: all of their objects matter, or, by 'NAMESPACE/NAME', some. */
  readonly whole: ReadonlySet<string>;
  readonly entries: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why it cannot be asked: it was admitted by a release that understood it. */
  readonly error: string | undefined;
}

export function compileCheck({ spec }: Check, compile: Compiler): readonly CompiledPart[] {
  const shares = sharesOf(spec);
  return partsOf(spec).map((part, i) => compilePart(part, partName(part, i), shares[i]!, compile));
}

function compilePart(spec: CheckPartSpec, name: string, share: number, compile: Compiler): CompiledPart {
  const errors: string[] = [];
  const read = (text: string | undefined): Expression | undefined => {
    if (text === undefined) return undefined;
    const compiled = compile(text);
    if (!('error' in compiled)) return compiled;
    errors.push(compiled.error);
    return undefined;
  };
  const word = wordOf(spec);
  const main = word === 'probe' ? undefined : read(spec[word]);
  const after = read(spec.after);
  const until = read(spec.until);
  // What changes or requests are asked by is looked at when they come.
  const watched = [main?.occurrence ? undefined : main, after, until].filter((one) => one !== undefined);
  return {
    ...{ name, spec, share, word, main, after, until, error: errors[0] },
    filter: main?.occurrence && word !== 'always' ? filterOf(main.program.root, main.occurrence) : {},
    every: everyOf(spec),
    isPolled: word === 'probe' || [main, after, until].some((one) => one?.isLook || one?.program.uses(NOW)),
    usesParts: watched.some(({ program }) => program.uses(PARTS)),
    ...dependenciesOf(watched),
  };
}

function dependenciesOf(expressions: readonly Expression[]): Pick<CompiledPart, 'whole' | 'entries'> {
  const whole = new Set<string>();
  const entries = new Map<string, Set<string>>();
  for (const { named } of expressions) {
    for (const name of named.whole) whole.add(name);
    if (named.functions.has('readyEndpoints')) whole.add(ENDPOINTS);
    for (const [name, keys] of named.entries) entries.set(name, new Set([...(entries.get(name) ?? []), ...keys]));
  }
  return { whole, entries };
}
