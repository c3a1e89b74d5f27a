import type { Bytes } from '../../../../engine/kernel/bytes.js';

/** Options of one of Kafka's tools: those that take a value, and those that stand alone. */
export interface OptionNames {
  readonly values: readonly string[];
  readonly flags: readonly string[];
  /** Options that the real tool has, and that are not simulated. */
  readonly unsimulated?: readonly string[];
}

export interface Options {
  /** The last value of an option; undefined: it is not there. */
  value(name: string): Bytes | undefined;
  all(name: string): readonly Bytes[];
  has(name: string): boolean;
}

/** Reads `--name value`, `--name=value` and `--name`, as joptsimple does. A text is what is wrong. */
export function readOptions(
  words: readonly Bytes[],
  { values, flags, unsimulated = [] }: OptionNames,
): Options | string {
  const found = new Map<string, Bytes[]>();
  for (let i = 0; i < words.length; i++) {
    const [, name = '', , given] = /^--?([\w-]+)(=([^]*))?$/.exec(words[i]!) ?? [];
    if (unsimulated.includes(name)) return `${name} is not simulated`;
    const takes = values.includes(name);
    if (!takes && !flags.includes(name)) return `${name || words[i]!} is not a recognized option`;
    const value = given ?? (takes ? words[++i] : '');
    if (value === undefined) return `Option ${name} requires an argument`;
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return {
    value: (name) => found.get(name)?.at(-1),
    all: (name) => found.get(name) ?? [],
    has: (name) => found.has(name),
  };
}

/** The first server of a list: 'kafka-0:9092,kafka-1:9092'. */
export function firstServer(list: Bytes): { readonly host: Bytes; readonly port: number } | undefined {
  const [, host, port] = /^\s*([^:,\s]+):(\d{1,5})\s*(?:,|$)/.exec(list) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}
