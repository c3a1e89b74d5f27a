import { EvaluationError, noOverload } from '../errors.js';
import type { Library, Run } from '../registry.js';
import {
  adapt,
  compare,
  Double,
  Duration,
  equal,
  isList,
  isMap,
  keysOf,
  Opaque,
  Optional,
  toInt,
  toUint,
  Uint,
  type Value,
} from '../values.js';

type One = readonly [readonly unknown[]];
type Two = readonly [readonly unknown[], readonly unknown[]];
type Found = readonly [readonly unknown[], Value];

const has = (list: readonly unknown[], value: unknown): boolean =>
  list.some((item) => equal(adapt(item), adapt(value)));
const chargePairs = (run: Run, a: readonly unknown[], b: readonly unknown[]): void =>
  run.charge(a.length * Math.max(1, b.length));

function extreme(list: readonly unknown[], name: string, better: (c: number) => boolean): Value {
  if (list.length === 0) throw new EvaluationError(`${name} called on empty list`);
  return list.map(adapt).reduce((best, item) => (better(compare(item, best)) ? item : best));
}

const isSorted = (list: readonly unknown[]): boolean =>
  list.every((item, i) => i === 0 || compare(adapt(list[i - 1]), adapt(item)) <= 0);
const indexOf = (list: readonly unknown[], value: Value): bigint =>
  BigInt(list.findIndex((item) => equal(adapt(item), value)));
const lastIndexOf = (list: readonly unknown[], value: Value): bigint =>
  BigInt(list.findLastIndex((item) => equal(adapt(item), value)));

function toWhole(value: Value): bigint {
  if (typeof value !== 'bigint') throw noOverload();
  return value;
}
function toUnsigned(value: Value): bigint {
  if (!(value instanceof Uint)) throw noOverload();
  return value.value;
}
function toNanos(value: Value): bigint {
  if (!(value instanceof Duration)) throw noOverload();
  return value.nanos;
}

function sum(list: readonly unknown[]): Value {
  const values = list.map(adapt);
  if (values.some((v) => v instanceof Double))
    return new Double(values.reduce<number>((n, v) => n + (v instanceof Double ? v.value : Number(toWhole(v))), 0));
  if (values[0] instanceof Uint) return toUint(values.reduce<bigint>((n, v) => n + toUnsigned(v), 0n));
  if (values[0] instanceof Duration) return new Duration(toInt(values.reduce<bigint>((n, v) => n + toNanos(v), 0n)));
  return toInt(values.reduce<bigint>((n, v) => n + toWhole(v), 0n));
}

const overOrdered = (name: string, result: string, run: (args: One, run: Run) => Value): Library =>
  Object.fromEntries(
    ['int', 'uint', 'double', 'string', 'bool', 'bytes', 'timestamp', 'duration'].map((type) => [
      `list<${type}>.${name}(): ${result.replace('A', type)}`,
      run,
    ]),
  );

const MAX_RANGE = 1_000_000n;

/** Lists within the list are opened, to a depth. */
function flatten(list: readonly unknown[], depth: number, run: Run): unknown[] {
  run.charge(list.length);
  return list.flatMap((item) =>
    Array.isArray(item) && depth > 0 ? flatten(item as unknown[], depth - 1, run) : [item],
  );
}

function distinct(list: readonly unknown[], run: Run): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    run.charge(1 + kept.length);
    if (!has(kept, item)) kept.push(item);
  }
  return kept;
}

function slice(list: readonly unknown[], from: bigint, to: bigint): unknown[] {
  if (from < 0n || to < 0n) throw new EvaluationError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    throw new EvaluationError(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > BigInt(list.length))
    throw new EvaluationError(`cannot slice(${from}, ${to}), list is length ${list.length}`);
  return list.slice(Number(from), Number(to));
}

function range(length: bigint, run: Run): bigint[] {
  // More than this is beyond the cost of any call.
  run.charge(Number(length < MAX_RANGE ? length : MAX_RANGE) + 1);
  return Array.from({ length: Number(length) }, (_, i) => BigInt(i));
}

/** Models apiserver/pkg/cel/library/lists.go and cel-go's sets extension. */
export const collections: Library = {
  ...overOrdered('isSorted', 'bool', ([list], run) => (run.charge(list.length), isSorted(list))),
  ...overOrdered('min', 'A', ([list], run) => (run.charge(list.length), extreme(list, 'min', (c) => c < 0))),
  ...overOrdered('max', 'A', ([list], run) => (run.charge(list.length), extreme(list, 'max', (c) => c > 0))),
  ...Object.fromEntries(
    ['int', 'uint', 'double', 'duration'].map((type) => [
      `list<${type}>.sum(): ${type}`,
      ([list]: One, run: Run) => (run.charge(list.length), sum(list)),
    ]),
  ),
  ...overOrdered('sort', 'list<A>', ([list], run) => (run.charge(list.length), list.map(adapt).sort(compare))),
  'list<A>.distinct(): list<A>': ([list]: One, run) => distinct(list, run),
  'list<A>.reverse(): list<A>': ([list]: One, run) => (run.charge(list.length), [...list].reverse()),
  'list<A>.slice(int, int): list<A>': ([list, from, to]: readonly [readonly unknown[], bigint, bigint], run) => (
    run.charge(list.length),
    slice(list, from, to)
  ),
  'list<dyn>.flatten(): list<dyn>': ([list]: One, run) => flatten(list, 1, run),
  'list<dyn>.flatten(int): list<dyn>': ([list, depth]: readonly [readonly unknown[], bigint], run) => {
    if (depth < 0n) throw new EvaluationError('level must be non-negative');
    return flatten(list, Number(depth), run);
  },
  'list<A>.first(): optional<A>': ([list]: One) => (list.length > 0 ? new Optional(adapt(list[0])) : Optional.none),
  'list<A>.last(): optional<A>': ([list]: One) => (list.length > 0 ? new Optional(adapt(list.at(-1))) : Optional.none),
  '.lists.range(int): list<int>': ([length]: readonly [bigint], run) => range(length, run),
  'list<A>.indexOf(A): int': ([list, value]: Found, run) => (run.charge(list.length), indexOf(list, value)),
  'list<A>.lastIndexOf(A): int': ([list, value]: Found, run) => (run.charge(list.length), lastIndexOf(list, value)),
  '.sets.contains(list<A>, list<A>): bool': ([a, b]: Two, run) => (
    chargePairs(run, a, b),
    b.every((item) => has(a, item))
  ),
  '.sets.intersects(list<A>, list<A>): bool': ([a, b]: Two, run) => (
    chargePairs(run, a, b),
    b.some((item) => has(a, item))
  ),
  '.sets.equivalent(list<A>, list<A>): bool': ([a, b]: Two, run) => (
    chargePairs(run, a, b),
    b.every((item) => has(a, item)) && a.every((item) => has(b, item))
  ),
};

type Held = readonly [Optional];
const isZero = (value: Value): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  value === 0n ||
  (value instanceof Uint && value.value === 0n) ||
  (value instanceof Double && value.value === 0) ||
  (isList(value) && value.length === 0) ||
  (isMap(value) && keysOf(value).length === 0);
const dereference = (optional: Optional): Value => {
  if (optional.value === undefined) throw new EvaluationError('optional.none() dereference');
  return optional.value;
};

/** cel-go's optional types. */
export const optionals: Library = {
  '.optional.of(A): optional<A>': ([value]: readonly [Value]) => new Optional(value),
  '.optional.ofNonZeroValue(A): optional<A>': ([value]: readonly [Value]) =>
    isZero(value) ? Optional.none : new Optional(value),
  '.optional.none(): optional<A>': () => Optional.none,
  'optional<A>.hasValue(): bool': ([o]: Held) => o.value !== undefined,
  'optional<A>.value(): A': ([o]: Held) => dereference(o),
  'optional<A>.orValue(A): A': ([o, other]: readonly [Optional, Value]) => o.value ?? other,
  'optional<A>.or(optional<A>): optional<A>': ([o, other]: readonly [Optional, Optional]) =>
    o.value === undefined ? other : o,
};

/** Is a request allowed? Verb, group, resource, subresource, namespace, name, or a path. */
export interface Authorization {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly serviceAccount?: string;
}
export type Decide = (
  attributes: Authorization,
  verb: string,
) => { readonly allowed: boolean; readonly reason: string };

interface Check extends Authorization {
  readonly decide: Decide;
}
const A = {
  authorizer: 'kubernetes.authorization.Authorizer',
  path: 'kubernetes.authorization.PathCheck',
  group: 'kubernetes.authorization.GroupCheck',
  resource: 'kubernetes.authorization.ResourceCheck',
  decision: 'kubernetes.authorization.Decision',
};
export const authorizer = (decide: Decide, attributes: Partial<Authorization> = {}, type = A.authorizer): Opaque =>
  new Opaque(type, {
    group: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    decide,
    ...attributes,
  } satisfies Check);
/** What 'authorizer.requestResource' is. */
export const resourceCheck = (decide: Decide, attributes: Partial<Authorization>): Opaque =>
  authorizer(decide, attributes, A.resource);
const narrow = (check: Opaque, type: string, attributes: Partial<Authorization>): Opaque =>
  new Opaque(type, { ...(check.data as Check), ...attributes });
const decide = (check: Opaque, verb: string): Opaque =>
  new Opaque(A.decision, (check.data as Check).decide(check.data as Check, verb));
const decision = (of: Opaque): ReturnType<Decide> => of.data as ReturnType<Decide>;

/** Models apiserver/pkg/cel/library/authz.go. */
export const authorization: Library = {
  [`${A.authorizer}.path(string): ${A.path}`]: ([a, path]: readonly [Opaque, string]) => narrow(a, A.path, { path }),
  [`${A.path}.check(string): ${A.decision}`]: ([a, verb]: readonly [Opaque, string]) => decide(a, verb),
  [`${A.authorizer}.group(string): ${A.group}`]: ([a, group]: readonly [Opaque, string]) =>
    narrow(a, A.group, { group }),
  [`${A.authorizer}.serviceAccount(string, string): ${A.authorizer}`]: ([a, namespace, name]: readonly [
    Opaque,
    string,
    string,
  ]) => narrow(a, A.authorizer, { serviceAccount: `system:serviceaccount:${namespace}:${name}` }),
  [`${A.group}.resource(string): ${A.resource}`]: ([a, resource]: readonly [Opaque, string]) =>
    narrow(a, A.resource, { resource }),
  [`${A.resource}.subresource(string): ${A.resource}`]: ([a, subresource]: readonly [Opaque, string]) =>
    narrow(a, A.resource, { subresource }),
  [`${A.resource}.namespace(string): ${A.resource}`]: ([a, namespace]: readonly [Opaque, string]) =>
    narrow(a, A.resource, { namespace }),
  [`${A.resource}.name(string): ${A.resource}`]: ([a, name]: readonly [Opaque, string]) =>
    narrow(a, A.resource, { name }),
  [`${A.resource}.fieldSelector(string): ${A.resource}`]: ([a]: readonly [Opaque, string]) => a,
  [`${A.resource}.labelSelector(string): ${A.resource}`]: ([a]: readonly [Opaque, string]) => a,
  [`${A.resource}.check(string): ${A.decision}`]: ([a, verb]: readonly [Opaque, string]) => decide(a, verb),
  [`${A.decision}.allowed(): bool`]: ([d]: readonly [Opaque]) => decision(d).allowed,
  [`${A.decision}.reason(): string`]: ([d]: readonly [Opaque]) => decision(d).reason,
  [`${A.decision}.errored(): bool`]: () => false,
  [`${A.decision}.error(): string`]: () => '',
};
