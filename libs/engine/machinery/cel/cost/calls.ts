import type { Node } from '../ast.js';
import type { Type } from '../types.js';
import {
  cap,
  exactly,
  NOTHING,
  ONE,
  PATTERN,
  plus,
  READ,
  scale,
  type Size,
  times,
  UNBOUNDED,
  UNKNOWN,
  upTo,
} from './size.js';

/**
 * What is known of a part of an expression: the most that it costs, how large its value is, and where in the schema it
 * is found.
 */
export interface Estimate {
  readonly node: Node;
  readonly type: Type;
  readonly cost: number;
  readonly size: Size | undefined;
  readonly path: readonly string[];
  readonly entry?: Entry | undefined;
}
/** The sizes of the keys and values of a list or map. */
export interface Entry {
  readonly kind: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

/** A call but for the costs of its parts. */
export interface Work {
  readonly cost: number;
  readonly size?: Size | undefined;
}
type Sized = (of: Estimate | undefined) => Size;
interface Call {
  readonly target: Estimate | undefined;
  readonly args: readonly Estimate[];
  readonly item: (list: Estimate) => Size;
}
type Rule = (call: Call) => Work | undefined;

export const LIST = 10;
export const MAP = 30;
const ADDRESS: Size = { min: 4, max: 16 };
const FORMAT_PATTERN = 128;

export const sizeOf: Sized = (of) => of?.size ?? UNKNOWN;
export const mayBeOf = (of: Estimate | undefined, ...kinds: readonly Type['kind'][]): boolean =>
  of !== undefined && (of.type.kind === 'any' || kinds.includes(of.type.kind));
const isText = (type: Type): boolean => type.kind === 'string' || type.kind === 'bytes';

const allocate = (factor: number, size: Size): Work => ({ cost: cap(scale(size.max, factor) + 1 + LIST), size });
/** Sorting a list by keys of a type: models cel-go/ext/lists.go. */
export const sorting = (keys: Size, type: Type): Work =>
  allocate(isText(type) || type.kind === 'any' ? 2 + READ : 2, times(keys, keys));
const itemType = (list: Estimate | undefined): Type => (list?.type.kind === 'list' ? list.type.of : { kind: 'any' });
const literal = (arg: Estimate | undefined, otherwise: number): number =>
  arg?.node.kind === 'literal' && typeof arg.node.value === 'bigint' ? Number(arg.node.value) : otherwise;

const traversal: Rule = ({ target, item }) => {
  if (!target) return undefined;
  const size = sizeOf(target);
  if (target.type.kind !== 'list') return { cost: scale(size.max, READ) };
  return { cost: cap(size.max * (1 + (isText(target.type.of) ? scale(item(target).max, READ) : 0))) };
};
const parsing =
  (passes: number): Rule =>
  ({ args }) =>
    args[0] ? { cost: scale(sizeOf(args[0]).max, passes * READ) } : undefined;
const copying: Rule = ({ target }) => target && { cost: scale(sizeOf(target).max, READ), size: sizeOf(target) };
const searching: Rule = ({ target, args }) => {
  if (!target || args.length === 0) return undefined;
  const size = sizeOf(target);
  return {
    cost: cap(scale(cap(size.max + 1), READ) * scale(sizeOf(args[0]).max, PATTERN)),
    size: upTo(size.max),
  };
};
const prefix: Rule = ({ args }) => ({ cost: scale(sizeOf(args[0]).max, READ) });
const sets =
  (factor: number): Rule =>
  ({ args: [a, b] }) => ({ cost: cap(scale(times(sizeOf(a), sizeOf(b)).max, factor) + 1) });
const within =
  (base: number): Rule =>
  ({ args: [other] }) => ({ cost: cap(base + (mayBeOf(other, 'string') ? scale(sizeOf(other).max, READ) : 0)) });

const replace: Rule = ({ target, args: [from, to] }) => {
  if (!target || !from || !to) return undefined;
  const [size, old, next] = [sizeOf(target), sizeOf(from), sizeOf(to)];
  const longest =
    old.min === 0
      ? (size.max + 1) * next.max + size.max
      : next.max <= old.min
        ? size.max
        : Math.ceil(size.max / old.min) * next.max;
  const shortest =
    old.max === 0
      ? (size.min + 1) * next.min + size.min
      : old.max <= next.min
        ? size.min
        : Math.ceil(size.min / old.max) * next.min;
  return { cost: scale(size.max, 2 * READ), size: { min: cap(shortest), max: cap(longest) } };
};
const join: Rule = ({ target, args: [separator], item }) => {
  if (!target) return undefined;
  const count = sizeOf(target);
  const between: Size = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const size = plus(
    target.type.kind === 'list' ? times(count, item(target)) : NOTHING,
    separator ? times(sizeOf(separator), between) : NOTHING,
  );
  return { cost: scale(size.max, READ), size };
};

const RULES: Readonly<Record<string, Rule>> = {
  isSorted: traversal,
  sum: traversal,
  max: traversal,
  min: traversal,
  indexOf: traversal,
  lastIndexOf: traversal,
  url: ({ args: [text] }) => ({ cost: scale(sizeOf(text).max, READ), size: sizeOf(text) }),
  lowerAscii: copying,
  upperAscii: copying,
  substring: copying,
  trim: copying,
  replace,
  join,
  split: ({ target, args }) =>
    target && { cost: scale(sizeOf(target).max, 2 * READ), size: upTo(literal(args[1], sizeOf(target).max)) },
  find: searching,
  findAll: searching,
  cidr: parsing(1),
  isIP: parsing(1),
  isCIDR: parsing(1),
  ip: parsing(1),
  'ip.isCanonical': parsing(2),
  quantity: parsing(1),
  isQuantity: parsing(1),
  semver: parsing(1),
  isSemver: parsing(1),
  containsIP: within(scale(2 * ADDRESS.max, READ)),
  containsCIDR: within(scale(2 * ADDRESS.max, READ) + scale(ADDRESS.max, READ) + 1),
  validate: ({ args }) =>
    args[0] ? { cost: scale(scale(sizeOf(args[0]).max, READ), FORMAT_PATTERN * PATTERN) } : undefined,
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
  slice: ({ target, args: [from, to] }) => {
    const length = literal(to, sizeOf(target).max) - literal(from, 0);
    return allocate(1, exactly(length < 0 ? UNBOUNDED : length));
  },
  'lists.range': ({ args }) => allocate(1, exactly(literal(args[0], UNBOUNDED))),
  flatten: ({ target, args }) => allocate(args.length > 0 ? literal(args[0], UNBOUNDED) : 1, sizeOf(target)),
  reverse: ({ target }) => allocate(1, sizeOf(target)),
  distinct: ({ target }) => allocate(2, times(sizeOf(target), sizeOf(target))),
  sort: ({ target }) => sorting(sizeOf(target), itemType(target)),
  format: ({ target }) => target && { cost: scale(sizeOf(target).max, READ) },
  'strings.quote': ({ args: [text] }) => ({
    cost: scale(sizeOf(text).max, READ),
    size: { min: sizeOf(text).min + 2, max: cap(sizeOf(text).max * 2 + 2) },
  }),
  startsWith: prefix,
  endsWith: prefix,
  matches: (call) => call.target && { cost: searching(call)!.cost },
  contains: ({ target, args: [part] }) =>
    target && { cost: cap(scale(sizeOf(target).max, READ) * scale(sizeOf(part).max, READ)) },
  bytes: ({ args: [text] }) =>
    mayBeOf(text, 'string')
      ? { cost: scale(sizeOf(text).max, READ), size: { min: sizeOf(text).min, max: cap(sizeOf(text).max * 4) } }
      : undefined,
  string: ({ args: [value] }) =>
    mayBeOf(value, 'bytes')
      ? {
          cost: Math.max(scale(sizeOf(value).max, READ), value!.type.kind === 'any' ? 1 : 0),
          size: { min: Math.floor(sizeOf(value).min / 4), max: sizeOf(value).max },
        }
      : undefined,
  '_+_': ({ args: [a, b] }) => {
    const size = plus(sizeOf(a), sizeOf(b));
    const work =
      (mayBeOf(a, 'string') && mayBeOf(b, 'string')) || (mayBeOf(a, 'bytes') && mayBeOf(b, 'bytes'))
        ? scale(size.max, READ)
        : undefined;
    if (work !== undefined) return { cost: isText(a!.type) || isText(b!.type) ? work : Math.max(1, work), size };
    return mayBeOf(a, 'list') && mayBeOf(b, 'list') ? { cost: 1, size } : undefined;
  },
  '@in': ({ args: [, of] }) =>
    mayBeOf(of, 'list') ? { cost: Math.max(sizeOf(of).max, of!.type.kind === 'any' ? 1 : 0) } : undefined,
  '_==_': ({ args: [a, b] }) =>
    a?.type.kind === 'opaque' && b?.type.kind === 'opaque'
      ? { cost: a.type.name === 'kubernetes.NamedFormat' ? 7 : 1 }
      : compareCost(a, b),
  '_!=_': ({ args: [a, b] }) => compareCost(a, b),
  ...Object.fromEntries(
    ['_<_', '_<=_', '_>_', '_>=_'].map((name): [string, Rule] => [
      name,
      ({ args: [a, b] }) => {
        if (!mayBeOf(a, 'string', 'bytes') || !mayBeOf(b, 'string', 'bytes')) return undefined;
        return { cost: Math.max(compareCost(a, b).cost, isText(a!.type) || isText(b!.type) ? 0 : 1) };
      },
    ]),
  ),
};

const compareCost = (a: Estimate | undefined, b: Estimate | undefined): Work => ({
  cost: scale(Math.min(sizeOf(a).max, sizeOf(b).max), READ),
});

/**
 * What a function or operator costs beyond its arguments. Models apiserver/pkg/cel/library/cost.go and
 * cel-go/checker/cost.go.
 */
export const workOf = (fn: string, call: Call): Work =>
  (Object.hasOwn(RULES, fn) ? RULES[fn]!(call) : undefined) ?? { cost: ONE.max };

/** Whether a function has a rule of its own; all others cost one. */
export const hasCostRule = (fn: string): boolean => Object.hasOwn(RULES, fn);
