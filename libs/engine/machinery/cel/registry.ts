import { parseType, type Type } from './types.js';
import { Double, Duration, isList, isMap, Opaque, Optional, Timestamp, TypeValue, Uint, type Value } from './values.js';

/** What a function may ask of the evaluation that it is part of. */
export interface Run {
  /** Counts work against the budget; throws when it is spent. */
  charge(units: number): void;
}

export type Implementation = (args: never, run: Run) => Value;

/** One way to call a function: the receiver, if it is a method, is the first of `args`. */
export interface Overload {
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  run(args: readonly Value[], run: Run): Value;
}

/** 'string.startsWith(string): bool' -> what it does. */
export type Library = Readonly<Record<string, Implementation>>;

/** A leading dot marks a function of a namespace: '.optional.of(A): optional<A>'. */
const SIGNATURE = /^(?:\.([\w.]+)|(?:([\w.<>, ]+)\.)?([^.(]+))\((.*)\): (.+)$/;

export class Functions {
  private readonly byName = new Map<string, Overload[]>();

  /** `base`: functions that these come beside. */
  constructor(
    libraries: readonly Library[],
    private readonly base?: Functions,
  ) {
    for (const library of libraries)
      for (const [signature, run] of Object.entries(library)) this.add(signature, run as unknown as Overload['run']);
  }

  overloadsOf(name: string): readonly Overload[] | undefined {
    return this.byName.get(name) ?? this.base?.overloadsOf(name);
  }

  /** The names of all functions: 'size', '_+_', 'optional.of'. */
  get names(): readonly string[] {
    return [...new Set([...(this.base?.names ?? []), ...this.byName.keys()])];
  }

  private add(signature: string, run: Overload['run']): void {
    const { receiver, name, args, result } = split(signature);
    const types = [...(receiver ? [receiver] : []), ...args].map(parseType);
    const overload: Overload = { member: receiver !== undefined, args: types, result: parseType(result), run };
    const known = this.byName.get(name);
    if (known) known.push(overload);
    else this.byName.set(name, [...(this.base?.overloadsOf(name) ?? []), overload]);
  }
}

function split(signature: string): { receiver: string | undefined; name: string; args: string[]; result: string } {
  const match = SIGNATURE.exec(signature);
  if (!match) throw new Error(`no signature: ${signature}`);
  const [, qualified, receiver, name = '', args = '', result = ''] = match;
  return { receiver, name: qualified ?? name, args: args === '' ? [] : args.split(/, (?![^<]*>)/), result };
}

/** Does the value have the type, as far as can be told without looking inside lists and maps? */
export function accepts(type: Type, value: Value): boolean {
  switch (type.kind) {
    case 'any':
    case 'param':
      return true;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof Uint;
    case 'string':
      return typeof value === 'string';
    case 'null':
      return value === null;
    case 'double':
      return value instanceof Double;
    case 'bytes':
      return value instanceof Uint8Array;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'optional':
      return value instanceof Optional;
    case 'type':
      return value instanceof TypeValue;
    case 'list':
      return isList(value);
    case 'map':
    case 'object':
      return isMap(value);
    case 'opaque':
      return value instanceof Opaque && value.type === type.name;
  }
}
