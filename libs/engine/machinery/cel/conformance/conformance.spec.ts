import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  ANY,
  adapt,
  Environment,
  listOf,
  mapOf,
  parseType,
  type Type,
  typeText,
  type Value as CelValue,
} from '../index.js';
import { Double, mapFrom, TypeValue, Uint } from '../values.js';
import { DIFFERENCES } from './differences.js';

/** A value as the vectors write it. */
type Wire =
  | { readonly int: string }
  | { readonly uint: string }
  | { readonly double: string }
  | { readonly bool: boolean }
  | { readonly null: true }
  | { readonly string: string }
  | { readonly bytes: string }
  | { readonly type: string }
  | { readonly list: readonly Wire[] }
  | { readonly map: readonly (readonly [Wire, Wire])[] };
type WireType = string | { readonly list: WireType } | { readonly map: readonly [WireType, WireType] };

/** One vector of google/cel-spec: an expression, and the value, type or error that it leads to. */
interface Vector {
  readonly section: string;
  readonly name: string;
  readonly expr: string;
  readonly bindings?: Readonly<Record<string, Wire>>;
  readonly variables?: Readonly<Record<string, WireType>>;
  readonly unchecked?: boolean;
  readonly value?: Wire;
  readonly error?: string;
  readonly type?: WireType;
}

const FOLDER = new URL('./vectors/', import.meta.url);
const FLOATS: Readonly<Record<string, number>> = { inf: Infinity, '-inf': -Infinity, infinity: Infinity, nan: NaN };

function toCel(wire: Wire): CelValue {
  if ('int' in wire) return BigInt(wire.int);
  if ('uint' in wire) return new Uint(BigInt(wire.uint));
  if ('double' in wire) return new Double(FLOATS[wire.double] ?? Number(wire.double));
  if ('bool' in wire) return wire.bool;
  if ('null' in wire) return null;
  if ('string' in wire) return wire.string;
  if ('bytes' in wire) return new Uint8Array(Buffer.from(wire.bytes, 'base64'));
  if ('type' in wire) return new TypeValue(wire.type);
  if ('list' in wire) return wire.list.map(toCel);
  return mapFrom(wire.map.map(([key, value]) => [toCel(key), toCel(value)] as const));
}

function toType(wire: WireType): Type {
  if (typeof wire === 'string') return parseType(wire);
  return 'list' in wire ? listOf(toType(wire.list)) : mapOf(toType(wire.map[0]), toType(wire.map[1]));
}

/** The outcome of a vector in comparable form: a value's parts, a type's text, or that there is an error. */
function outcomeOf(vector: Vector): object {
  const { bindings = {}, variables = {}, expr } = vector;
  const declared = { ...Object.fromEntries(Object.keys(bindings).map((name) => [name, ANY])) };
  for (const [name, type] of Object.entries(variables)) declared[name] = toType(type);
  const { program, error } = new Environment({ variables: declared }).compile(expr);
  if (!program) return { error: vector.error === undefined ? error : true };
  if (vector.type !== undefined) return { type: typeText(program.type) };
  try {
    const values = Object.fromEntries(Object.entries(bindings).map(([name, wire]) => [name, toCel(wire)]));
    return { value: toComparable(program.run((name) => (name in values ? adapt(values[name]) : undefined)).value) };
  } catch (failure) {
    return { error: vector.error === undefined ? String(failure) : true };
  }
}

/** Maps have no order. */
function toComparable(value: unknown): unknown {
  if (value instanceof Double) return { double: String(value.value) };
  if (typeof value === 'bigint') return { int: String(value) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (typeof value === 'number') return toComparable(adapt(value));
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) return value.map(toComparable);
  if (value instanceof TypeValue) return { type: value.name };
  if (typeof value !== 'object' || value === null) return value;
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  return {
    map: entries
      .map(([key, item]) => [toComparable(key), toComparable(item)])
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

function expectedOf(vector: Vector): unknown {
  if (vector.error !== undefined) return { error: true };
  if (vector.type !== undefined) return { type: typeText(toType(vector.type)) };
  return { value: toComparable(toCel(vector.value!)) };
}

/** Vectors that are to run unchecked may not pass the checker, which Kubernetes never leaves out. */
const isRefusedByChecker = (outcome: object): boolean =>
  'error' in outcome && /undeclared reference|no matching overload|expected type/.test(String(outcome.error));

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const vectors = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Vector[];
  const idOf = ({ section, name }: Vector): string => `${file.replace('.json', '')}/${section}/${name}`;

  test.each(vectors.map((vector) => [`${vector.section}/${vector.name}: ${vector.expr}`, vector] as const))(
    '%s',
    (_, vector) => {
      const outcome = outcomeOf(vector);
      if (vector.unchecked && isRefusedByChecker(outcome)) return;
      if (idOf(vector) in DIFFERENCES) expect(outcome).not.toEqual(expectedOf(vector));
      else expect(outcome).toEqual(expectedOf(vector));
    },
  );
});
