import type { Call, Literal, Macro, Node, Select } from '../ast.js';
import { structName } from '../parser.js';
import { ANY, type Type } from '../types.js';
import { type Entry, type Estimate, LIST, MAP, mayBeOf, sizeOf, sorting, workOf } from './calls.js';
import { cap, exactly, NOTHING, ONE, type Size, union, UNBOUNDED } from './size.js';

/**
 * How large what is found at a path ('spec', '@items') from the variable can be; undefined when the schema does not
 * say.
 */
export type Sizes = (path: readonly string[]) => Size | undefined;

const SCALARS: ReadonlySet<Type['kind']> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);
const isScalar = (type: Type): boolean => SCALARS.has(type.kind) || (type.kind === 'optional' && isScalar(type.of));
const NO_PATH: readonly string[] = [];
const STRUCT = 40;
/** What one round of a macro costs beyond its arguments, and what comes after the last. */
const ROUNDS: Readonly<Record<string, { readonly each: number; readonly after: number }>> = {
  all: { each: 3, after: 1 },
  exists: { each: 4, after: 1 },
  exists_one: { each: 2, after: 2 },
  existsOne: { each: 2, after: 2 },
  filter: { each: 13, after: 1 + LIST },
  map: { each: 12, after: 1 + LIST },
  transformList: { each: 12, after: 1 + LIST },
  transformMap: { each: 3, after: 1 + MAP },
  transformMapEntry: { each: 2, after: 1 + MAP },
};

interface Local {
  readonly name: string;
  readonly path: readonly string[];
  readonly size: Size | undefined;
  readonly entry?: Entry | undefined;
  readonly outer: Local | undefined;
}

/** The most that an expression may cost, told from the sizes that a schema allows. Models cel-go/checker/cost.go. */
export class Estimator {
  constructor(
    private readonly types: ReadonlyMap<Node, Type>,
    private readonly sizes: Sizes,
  ) {}

  of(node: Node, scope?: Local): Estimate {
    switch (node.kind) {
      case 'literal':
        return { node, type: node.type, cost: 0, size: exactly(literalSize(node)), path: NO_PATH };
      case 'ident':
        return this.ident(node, scope);
      case 'select':
        return this.select(node, scope);
      case 'call':
        return this.call(node, scope);
      case 'macro':
        return this.macro(node, scope);
      case 'list': {
        const items = node.items.map((i) => this.of(i.value, scope));
        return {
          ...this.made(node, total(items) + LIST),
          size: exactly(items.length),
          entry: { kind: 'list', key: ONE, value: range(items) },
        };
      }
      case 'map': {
        const [keys, values] = [
          node.entries.map((e) => this.of(e.key, scope)),
          node.entries.map((e) => this.of(e.value, scope)),
        ];
        return {
          ...this.made(node, total(keys) + total(values) + MAP),
          size: exactly(keys.length),
          entry: { kind: 'map', key: range(keys), value: range(values) },
        };
      }
      case 'struct':
        return this.made(node, total(node.fields.map((f) => this.of(f.value, scope))) + STRUCT);
    }
  }

  private typeOf(node: Node): Type {
    return this.types.get(node) ?? ANY;
  }

  private made(node: Node, cost: number, path = NO_PATH): Estimate {
    const type = this.typeOf(node);
    return { node, type, cost: cap(cost), path, size: this.sizeOfType(type, path) };
  }

  /** Only what follows the first step is looked up, as upstream does it. */
  private sizeOfType(type: Type, path: readonly string[]): Size | undefined {
    return (path.length > 0 ? this.sizes(path.slice(1)) : undefined) ?? (isScalar(type) ? ONE : undefined);
  }

  private ident(node: Extract<Node, { kind: 'ident' }>, scope: Local | undefined): Estimate {
    for (let local = scope; local; local = local.outer) {
      if (local.name !== node.name) continue;
      const found = this.made(node, 1, local.path);
      return { ...found, size: found.size ?? local.size, entry: local.entry };
    }
    return this.made(node, 1, [node.name]);
  }

  private select(node: Select, scope: Local | undefined): Estimate {
    if (node.variable) return this.made(node, 1, [node.variable]);
    const operand = this.of(node.operand, scope);
    if (node.test) return this.made(node, operand.cost);
    if (node.optional) return this.made(node, operand.cost + 1);
    return this.made(node, operand.cost + (operand.type.kind === 'map' || operand.type.kind === 'object' ? 1 : 0), [
      ...operand.path,
      node.field,
    ]);
  }

  private call(node: Call, scope: Local | undefined): Estimate {
    // The checker looks at receivers, not at the names of namespaces.
    const namespaced = node.target && !this.types.has(node.target);
    const target = node.target && !namespaced ? this.of(node.target, scope) : undefined;
    const args = node.args.map((arg) => this.of(arg, scope));
    const before = total(args) + (target?.cost ?? 0);
    switch (node.fn) {
      case 'dyn':
        return { ...this.made(node, before + 1), size: args[0]?.size, entry: args[0]?.entry };
      case '_&&_':
      case '_||_':
        return this.made(node, before);
      case '_?_:_':
        return this.conditional(node, args[0]!, args[1]!, args[2]!);
      case '_[_]':
        return this.item(node, args[0]!, before);
      default:
        break;
    }
    const { cost, size } = workOf(namespaced ? `${structName(node.target!)}.${node.fn}` : node.fn, {
      target,
      args,
      item: (list) => this.itemSize(list),
    });
    const made = this.made(node, before + cost);
    return {
      ...made,
      size: size ?? made.size,
      entry: node.fn === '_+_' ? joinEntries(args[0]!.entry, args[1]!.entry) : undefined,
    };
  }

  private itemSize(list: Estimate): Size {
    return sizeOf({ ...list, size: list.path.length > 0 ? this.sizes([...list.path.slice(1), '@items']) : undefined });
  }

  private conditional(node: Node, condition: Estimate, yes: Estimate, no: Estimate): Estimate {
    return {
      ...this.made(node, condition.cost + Math.max(yes.cost, no.cost)),
      size: union(sizeOf(yes), sizeOf(no)),
      entry: joinEntries(yes.entry, no.entry),
    };
  }

  private item(node: Node, of: Estimate, before: number): Estimate {
    const step = mayBeOf(of, 'list') ? '@items' : of.type.kind === 'map' ? '@values' : undefined;
    const made = this.made(node, before + 1, step ? [...of.path, step] : NO_PATH);
    return { ...made, size: of.entry?.value ?? made.size };
  }

  // ---- macros ----

  private macro(node: Macro, scope: Local | undefined): Estimate {
    const target = this.of(node.target, scope);
    if (node.name === 'optMap' || node.name === 'optFlatMap') return this.optional(node, target, scope);
    if (node.name === 'sortBy') return this.sortBy(node, target, scope);
    const inner = this.loop(node, target, scope);
    const args = node.args.map((arg) => this.of(arg, inner));
    const { each, after } = ROUNDS[node.name]!;
    const rounds = sizeOf(target);
    const made = this.made(node, target.cost + after + cap(rounds.max * cap(total(args) + each)));
    switch (node.name) {
      case 'filter':
        return { ...made, size: rounds, entry: gatherItems(this.local(inner, node.vars[0]!)) };
      case 'map':
      case 'transformList':
        return { ...made, size: rounds, entry: gatherItems(args.at(-1)!) };
      case 'transformMap':
      case 'transformMapEntry':
        return { ...made, size: rounds };
      default:
        return { ...made, size: ONE };
    }
  }

  private local(scope: Local, name: string): { readonly size: Size | undefined } {
    for (let local: Local | undefined = scope; local; local = local.outer)
      if (local.name === name)
        return { size: (local.path.length > 0 ? this.sizes(local.path.slice(1)) : undefined) ?? local.size };
    return { size: undefined };
  }

  /** The variables of a macro: the item of a list or the key of a map, or both index (or key) and item. */
  private loop(node: Macro, { type, entry, path }: Estimate, outer: Local | undefined): Local {
    const isList = (entry?.kind ?? type.kind) === 'list';
    const [first = '', second] = node.vars;
    const value = (name: string, around: Local | undefined): Local => ({
      name,
      path: [...path, isList ? '@items' : '@values'],
      size: entry?.value,
      outer: around,
    });
    if (second === undefined && isList) return value(first, outer);
    const key: Local = { name: first, path: [...path, isList ? '@indices' : '@keys'], size: entry?.key, outer };
    return second === undefined ? key : value(second, key);
  }

  /** target.hasValue() ? optional.of(<target.value() as the variable>) : optional.none() */
  private optional(node: Macro, target: Estimate, scope: Local | undefined): Estimate {
    const held = target.type.kind === 'optional' ? target.type.of : ANY;
    const body = this.of(node.args[0]!, {
      name: node.vars[0]!,
      path: NO_PATH,
      size: this.sizeOfType(held, NO_PATH),
      outer: scope,
    });
    const bound = LIST + target.cost + 1 + body.cost;
    const made = this.made(node, target.cost + 1 + bound + (node.name === 'optMap' ? 1 : 0));
    return { ...made, size: made.size ?? { min: 0, max: UNBOUNDED } };
  }

  /** The list is bound, its keys are gathered, and both are sorted. */
  private sortBy(node: Macro, target: Estimate, scope: Local | undefined): Estimate {
    const key = this.of(node.args[0]!, this.loop(node, target, scope));
    const rounds = sizeOf(target);
    const { cost, size } = sorting(rounds, key.type);
    const keys = 1 + LIST + 1 + cap(rounds.max * cap(key.cost + ROUNDS['map']!.each));
    return { ...this.made(node, LIST + target.cost + 1 + keys + cost), size };
  }
}

const total = (parts: readonly Estimate[]): number => cap(parts.reduce((sum, part) => sum + part.cost, 0));
const range = (parts: readonly Estimate[]): Size => (parts.length === 0 ? NOTHING : parts.map(sizeOf).reduce(union));
/** A list grows from nothing. */
const gatherItems = ({ size }: { readonly size: Size | undefined }): Entry => ({
  kind: 'list',
  key: ONE,
  value: union(NOTHING, size ?? { min: 0, max: UNBOUNDED }),
});
const joinEntries = (a: Entry | undefined, b: Entry | undefined): Entry | undefined =>
  a && b && { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };

function literalSize({ value }: Literal): number {
  if (typeof value === 'string') return [...value].length;
  return value instanceof Uint8Array ? value.length : 1;
}
