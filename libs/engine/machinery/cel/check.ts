import type { Call, Coercion, Macro, Node, Select } from './ast.js';
import { compilePattern } from '../text/regex.js';
import type { Issue } from './errors.js';
import { parseDuration, parseTime } from './values.js';
import { structName } from './parser.js';
import type { Functions, Overload } from './registry.js';
import {
  ANY,
  BOOL,
  type Bindings,
  fits,
  INT,
  join,
  listOf,
  mapOf,
  optionalOf,
  resolve,
  STRING,
  TYPE,
  TYPE_NAMES,
  type Type,
  typeText,
} from './types.js';

/** The types of what an expression may name. `structs` says which object literals there are ('Object', 'JSONPatch'). */
export interface Declarations {
  readonly variables: Readonly<Record<string, Type>>;
  readonly structs?: (name: string) => boolean;
}

const COERCED: Readonly<Record<string, Coercion>> = {
  double: 'double',
  timestamp: 'timestamp',
  duration: 'duration',
  bytes: 'bytes',
};
const CONSTANTS: Readonly<Record<string, (text: string) => boolean>> = {
  timestamp: (text) => parseTime(text) !== undefined,
  duration: (text) => parseDuration(text) !== undefined,
  matches: (text) => compilePattern(text) !== undefined,
};
const OPERATORS: Readonly<Record<string, string>> = { '_[_]': '_[_]', '_[?_]': '_[?_]' };

/**
 * Finds what is wrong with an expression before it runs, in cel-go's words, and marks what has to be read as a number,
 * a time or a duration.
 */
export class Checker {
  readonly issues: Issue[] = [];
  /** What string.format takes may be of many types. */
  private mixed = false;

  /** `types` is filled with the type of every part that has one: names of namespaces have none. */
  constructor(
    private readonly declarations: Declarations,
    private readonly functions: Functions,
    private readonly types?: Map<Node, Type>,
  ) {}

  check(node: Node, scope: Scope = Scope.empty): Type {
    const type = this.typeOf(node, scope);
    this.types?.set(node, type);
    const as = COERCED[type.kind];
    if (as && (node.kind === 'select' || node.kind === 'ident' || (node.kind === 'call' && node.fn === '_[_]')))
      node.as = as;
    return type;
  }

  private typeOf(node: Node, scope: Scope): Type {
    switch (node.kind) {
      case 'literal':
        return node.type;
      case 'ident':
        return this.ident(node.name, node.at, scope);
      case 'select':
        return this.select(node, scope);
      case 'call':
        return this.call(node, scope);
      case 'macro':
        return this.macro(node, scope);
      case 'list':
        return listOf(
          this.unifyTypes(
            node.items.map((i) => this.item(i.value, i.optional, scope)),
            node.items.map((i) => i.value),
          ),
        );
      case 'map': {
        const keys = this.unifyTypes(
          node.entries.map((e) => this.check(e.key, scope)),
          node.entries.map((e) => e.key),
        );
        return mapOf(
          keys,
          this.unifyTypes(
            node.entries.map((e) => this.item(e.value, e.optional, scope)),
            node.entries.map((e) => e.value),
          ),
        );
      }
      case 'struct':
        return this.struct(node, scope);
    }
  }

  private fail(at: number, message: string): Type {
    this.issues.push({ at, message });
    return ANY;
  }

  private ident(name: string, at: number, scope: Scope): Type {
    const type =
      scope.find(name) ??
      (Object.hasOwn(this.declarations.variables, name) ? this.declarations.variables[name] : undefined);
    if (type) return type;
    return TYPE_NAMES.has(name) ? TYPE : this.fail(at, `undeclared reference to '${name}' (in container '')`);
  }

  private item(value: Node, optional: boolean, scope: Scope): Type {
    const type = this.check(value, scope);
    if (!optional) return type;
    return type.kind === 'optional' ? type.of : ANY;
  }

  /** One type for all items: literals are homogeneous. */
  private unifyTypes(types: readonly Type[], nodes: readonly Node[]): Type {
    let type: Type | undefined;
    types.forEach((next, i) => {
      const both = type ? join(type, next) : next;
      if (!both && this.mixed) type = ANY;
      else if (!both) this.fail(nodes[i]!.at, `expected type '${typeText(type!)}' but found '${typeText(next)}'`);
      else type = both;
    });
    return type ?? ANY;
  }

  private struct(node: Extract<Node, { kind: 'struct' }>, scope: Scope): Type {
    for (const field of node.fields) this.check(field.value, scope);
    return this.declarations.structs?.(node.name)
      ? ANY
      : this.fail(node.at, `undeclared reference to '${node.name}' (in container '')`);
  }

  private select(node: Select, scope: Scope): Type {
    const variable = structName(node);
    if (variable && !scope.find(variable.split('.', 1)[0]!) && this.isDeclared(variable)) {
      node.variable = variable;
      return this.declarations.variables[variable]!;
    }
    if (variable && TYPE_NAMES.has(variable)) {
      node.variable = variable;
      return TYPE;
    }
    const of = this.check(node.operand, scope);
    const optional = node.optional || of.kind === 'optional';
    const found = this.field(of.kind === 'optional' ? of.of : of, node);
    if (node.test) return BOOL;
    return optional ? optionalOf(found) : found;
  }

  private isDeclared(variable: string): boolean {
    return Object.hasOwn(this.declarations.variables, variable);
  }

  private field(of: Type, node: Select): Type {
    if (of.kind === 'any') {
      node.name = node.field;
      return ANY;
    }
    if (of.kind === 'map') {
      node.name = node.field;
      return of.of;
    }
    if (of.kind === 'object') {
      const field = of.fields.get(node.field);
      if (!field) return this.fail(node.at, `undefined field '${node.field}'`);
      node.name = field.property;
      return field.type;
    }
    return this.fail(node.at, `type '${typeText(of)}' does not support field selection`);
  }

  private call(node: Call, scope: Scope): Type {
    const qualified = node.target && structName(node.target);
    const name =
      qualified && !scope.find(qualified) && !Object.hasOwn(this.declarations.variables, qualified)
        ? `${qualified}.${node.fn}`
        : undefined;
    const namespaced = name ? this.functions.overloadsOf(name) : undefined;
    const target = node.target && !namespaced ? [this.check(node.target, scope)] : [];
    const args = [...target, ...this.checkArgs(node, scope)];
    this.constant(node);
    const special = this.special(node, args);
    if (special) return special;
    const overloads = namespaced ?? this.functions.overloadsOf(node.fn);
    if (!overloads) return this.fail(node.at, `undeclared reference to '${node.fn}' (in container '')`);
    const possible = overloads.filter((o) => o.member === target.length > 0 && o.args.length === args.length);
    const results = possible.flatMap((o) => this.result(o, args) ?? []);
    if (results.length === 0)
      return this.fail(
        node.at,
        `found no matching overload for '${name && namespaced ? name : node.fn}' applied to '${signatureText(target, args)}'`,
      );
    return results.every((r) => typeText(r) === typeText(results[0]!)) ? results[0]! : ANY;
  }

  /** Times, durations and patterns that are written out are read at once. */
  private constant(node: Call): void {
    const arg = node.args.at(-1);
    if (arg?.kind !== 'literal' || typeof arg.value !== 'string' || !Object.hasOwn(CONSTANTS, node.fn)) return;
    if (!CONSTANTS[node.fn]!(arg.value)) this.fail(arg.at, `invalid ${node.fn} argument`);
  }

  private checkArgs(node: Call, scope: Scope): Type[] {
    const before = this.mixed;
    this.mixed = node.fn === 'format';
    const types = node.args.map((arg) => this.check(arg, scope));
    this.mixed = before;
    return types;
  }

  private result(overload: Overload, args: readonly Type[]): Type | undefined {
    const bound: Bindings = new Map();
    return overload.args.every((wanted, i) => fits(wanted, args[i]!, bound))
      ? resolve(overload.result, bound)
      : undefined;
  }

  /** Operators that are no plain functions. */
  private special(node: Call, args: readonly Type[]): Type | undefined {
    const none = (): Type =>
      this.fail(
        node.at,
        `found no matching overload for '${OPERATORS[node.fn] ?? node.fn}' applied to '${signatureText([], args)}'`,
      );
    const isBool = (type: Type | undefined): boolean => type?.kind === 'bool' || type?.kind === 'any';
    if (node.target) return undefined;
    switch (node.fn) {
      case '_&&_':
      case '_||_':
        args.forEach((type, i) => {
          if (!isBool(type)) this.fail(node.args[i]!.at, `expected type 'bool' but found '${typeText(type)}'`);
        });
        return BOOL;
      case '_?_:_':
        return (isBool(args[0]) && join(args[1]!, args[2]!)) || none();
      case '_[?_]': {
        const of = args[0]!.kind === 'optional' ? args[0]!.of : args[0]!;
        return optionalOf(this.itemOf(of, args[1]!) ?? none());
      }
      case '_[_]': {
        const of = args[0]!;
        if (of.kind === 'optional') return optionalOf(this.itemOf(of.of, args[1]!) ?? none());
        return this.itemOf(of, args[1]!) ?? none();
      }
      default:
        return undefined;
    }
  }

  private itemOf(of: Type, key: Type): Type | undefined {
    if (of.kind === 'any') return ANY;
    if (of.kind === 'list') return fits(INT, key, new Map()) ? of.of : undefined;
    return of.kind === 'map' && fits(of.key, key, new Map()) ? of.of : undefined;
  }

  private macro(node: Macro, scope: Scope): Type {
    const target = this.check(node.target, scope);
    if (node.name === 'optMap' || node.name === 'optFlatMap') return this.optionalMacro(node, target, scope);
    const [first, second] = this.range(node, target);
    const types = node.vars.length === 2 ? [first, second] : [target.kind === 'list' ? second : first];
    const inner = node.vars.reduce((s, name, i) => s.with(name, types[i]!), scope);
    const args = node.args.map((arg) => this.check(arg, inner));
    const predicate =
      node.args.length === 2 ||
      !['map', 'sortBy', 'transformList', 'transformMap', 'transformMapEntry'].includes(node.name)
        ? args[0]!
        : BOOL;
    const result = args.at(-1)!;
    if (predicate.kind !== 'bool' && predicate.kind !== 'any')
      this.badPredicate(node, predicate, node.name === 'filter' ? types[0]! : result);
    switch (node.name) {
      case 'sortBy':
        return target;
      case 'map':
      case 'transformList':
        return listOf(result);
      case 'filter':
        return listOf(types[0]!);
      case 'transformMap':
        return mapOf(first, result);
      case 'transformMapEntry':
        return result;
      default:
        return BOOL;
    }
  }

  /** Macros are made of conditions, whose words cel-go uses. */
  private badPredicate(node: Macro, predicate: Type, result: Type): void {
    if (node.name === 'all' || node.name === 'exists')
      this.fail(node.args[0]!.at, `expected type 'bool' but found '${typeText(predicate)}'`);
    else if (node.name === 'exists_one' || node.name === 'existsOne')
      this.fail(node.at, `found no matching overload for '_?_:_' applied to '(${typeText(predicate)}, int, int)'`);
    else
      this.fail(
        node.at,
        `found no matching overload for '_?_:_' applied to '(${typeText(predicate)}, ${typeText(listOf(result))}, ${typeText(listOf(result))})'`,
      );
  }

  /** The types of index (or key) and item. */
  private range(node: Macro, target: Type): [Type, Type] {
    if (target.kind === 'list') return [INT, target.of];
    if (target.kind === 'map') return [target.key, target.of];
    if (target.kind === 'object') return [STRING, ANY];
    if (target.kind !== 'any')
      this.fail(
        node.target.at,
        `expression of type '${typeText(target)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
    return [ANY, ANY];
  }

  private optionalMacro(node: Macro, target: Type, scope: Scope): Type {
    const result = this.check(node.args[0]!, scope.with(node.vars[0]!, target.kind === 'optional' ? target.of : ANY));
    if (node.name === 'optMap') return optionalOf(result);
    return result.kind === 'optional' ? result : optionalOf(ANY);
  }
}

/** 'string.(int)' for a method, '(int, string)' for a function. */
const signatureText = (target: readonly Type[], args: readonly Type[]): string =>
  `${target.length > 0 ? `${typeText(target[0]!)}.` : ''}(${args.slice(target.length).map(typeText).join(', ')})`;

/** Variables that macros bind. */
class Scope {
  static readonly empty = new Scope(undefined, '', ANY);
  private constructor(
    private readonly outer: Scope | undefined,
    private readonly name: string,
    private readonly type: Type,
  ) {}
  with(name: string, type: Type): Scope {
    return new Scope(this, name, type);
  }
  find(name: string): Type | undefined {
    if (!this.outer) return undefined;
    return this.name === name ? this.type : this.outer.find(name);
  }
}
