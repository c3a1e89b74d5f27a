import type { Call, Macro, Node, Select } from './ast.js';
import { CostError, EvaluationError, noOverload } from './errors.js';
import { structName } from './parser.js';
import { accepts, type Functions, type Overload, type Run } from './registry.js';
import { keyText } from './standard.js';
import { TYPE_NAMES } from './types.js';
import {
  adapt,
  compare,
  coerce,
  entryOf,
  isList,
  isMap,
  keysOf,
  mapFrom,
  Optional,
  toText,
  TypeValue,
  Uint,
  type Value,
} from './values.js';

/** Finds a variable's value; undefined when there is none. */
export type Lookup = (name: string) => Value | undefined;

/** Knows the value of a part of an expression without a run; undefined: it does not. Throws EvaluationError. */
export type Known = (node: Node) => Value | undefined;

interface Scope {
  readonly name: string;
  readonly value: Value;
  readonly outer: Scope | undefined;
}

/** One run of an expression: counts its work, and stops when the budget is spent. */
export class Evaluation implements Run {
  cost = 0;

  constructor(
    private readonly functions: Functions,
    private readonly lookup: Lookup,
    private readonly budget: number,
    private readonly known?: Known,
  ) {}

  charge(units: number): void {
    this.cost += units;
    if (this.cost > this.budget) throw new CostError();
  }

  run(node: Node, scope?: Scope): Value {
    this.charge(1);
    const value = this.value(node, scope);
    return node.as ? coerce(value, node.as) : value;
  }

  /** What the condition of a macro with one variable says of an item. */
  holdsOf({ vars, args }: Macro, item: Value): boolean {
    return this.condition(args[0]!, { name: vars[0]!, value: item, outer: undefined });
  }

  private value(node: Node, scope: Scope | undefined): Value {
    const known = this.known?.(node);
    if (known !== undefined) return known;
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'ident':
        return this.ident(node.name, scope);
      case 'select':
        return this.select(node, scope);
      case 'call':
        return this.call(node, scope);
      case 'macro':
        return this.macro(node, scope);
      case 'list':
        return node.items.flatMap(({ value, optional }) => {
          const item = this.run(value, scope);
          if (!optional) return [item];
          return item instanceof Optional && item.value !== undefined ? [item.value] : [];
        });
      case 'map':
        return mapFrom(
          node.entries.flatMap(({ key, value, optional }): [Value, Value][] => {
            const [k, v] = [this.run(key, scope), this.run(value, scope)];
            if (!optional) return [[k, v]];
            return v instanceof Optional && v.value !== undefined ? [[k, v.value]] : [];
          }),
        );
      case 'struct':
        return Object.fromEntries(
          node.fields.flatMap(({ name, value, optional }): [string, Value][] => {
            const v = this.run(value, scope);
            if (!optional) return [[name, v]];
            return v instanceof Optional && v.value !== undefined ? [[name, v.value]] : [];
          }),
        ) as object;
    }
  }

  private ident(name: string, scope: Scope | undefined): Value {
    for (let s = scope; s; s = s.outer) if (s.name === name) return s.value;
    const value = this.lookup(name);
    if (value !== undefined) return value;
    if (TYPE_NAMES.has(name)) return new TypeValue(name);
    throw new EvaluationError(`no such attribute(s): ${name}`);
  }

  private select(node: Select, scope: Scope | undefined): Value {
    if (node.variable) return this.ident(node.variable, undefined);
    const operand = this.run(node.operand, scope);
    if (operand instanceof Optional) {
      const found = operand.value === undefined ? undefined : this.field(operand.value, node.name);
      if (node.test) return found !== undefined;
      return found === undefined ? Optional.none : new Optional(found);
    }
    const found = this.field(operand, node.name);
    if (node.test) return found !== undefined;
    if (node.optional) return found === undefined ? Optional.none : new Optional(found);
    if (found === undefined) throw new EvaluationError(`no such key: ${node.name}`);
    return found;
  }

  private field(value: Value, name: string): Value | undefined {
    if (!isMap(value)) throw noOverload();
    return entryOf(value, name);
  }

  private call(node: Call, scope: Scope | undefined): Value {
    if (!node.target) {
      switch (node.fn) {
        case '_&&_':
          return this.logical(node, false, scope);
        case '_||_':
          return this.logical(node, true, scope);
        case '_?_:_':
          return this.run(node.args[this.condition(node.args[0]!, scope) ? 1 : 2]!, scope);
        case '_[?_]':
          return this.optionalItem(this.run(node.args[0]!, scope), this.run(node.args[1]!, scope));
        default:
          break;
      }
    }
    const { overloads, target } = this.resolve(node, scope);
    const args = [...target, ...node.args.map((arg) => this.run(arg, scope))];
    if (node.fn === '_[_]' && args[0] instanceof Optional) return this.optionalItem(args[0], args[1]!);
    for (const overload of overloads) {
      if (
        overload.member === target.length > 0 &&
        overload.args.length === args.length &&
        overload.args.every((type, i) => accepts(type, args[i]!))
      )
        return overload.run(args, this);
    }
    throw noOverload();
  }

  /** The function, and its receiver when it is a method rather than a function of a namespace ('optional.of'). */
  private resolve(node: Call, scope: Scope | undefined): { overloads: readonly Overload[]; target: readonly Value[] } {
    const prefix = node.target && structName(node.target);
    const namespaced = prefix ? this.functions.overloadsOf(`${prefix}.${node.fn}`) : undefined;
    if (namespaced && this.lookup(prefix!) === undefined) return { overloads: namespaced, target: [] };
    return {
      overloads: this.functions.overloadsOf(node.fn) ?? [],
      target: node.target ? [this.run(node.target, scope)] : [],
    };
  }

  private optionalItem(of: Value, key: Value): Value {
    const holder = of instanceof Optional ? of.value : of;
    if (holder === undefined) return Optional.none;
    let found: Value | undefined;
    if (isList(holder)) {
      const index = key instanceof Uint ? key.value : key;
      if (typeof index !== 'bigint') throw noOverload();
      if (index >= 0n && index < BigInt(holder.length)) found = adapt(holder[Number(index)]);
    } else if (isMap(holder)) found = entryOf(holder, key);
    else throw noOverload();
    return found === undefined ? Optional.none : new Optional(found);
  }

  private condition(node: Node, scope: Scope | undefined): boolean {
    const value = this.run(node, scope);
    if (typeof value !== 'boolean') throw noOverload();
    return value;
  }

  /** && and || look at the other side when one fails: an error counts only if the other side does not decide. */
  private logical(node: Call, decisive: boolean, scope: Scope | undefined): boolean {
    let failure: EvaluationError | undefined;
    for (const arg of node.args) {
      const outcome = this.attempt(() => this.condition(arg, scope));
      if (outcome === decisive) return decisive;
      if (outcome instanceof EvaluationError) failure ??= outcome;
    }
    if (failure) throw failure;
    return !decisive;
  }

  private attempt<T>(run: () => T): T | EvaluationError {
    try {
      return run();
    } catch (error) {
      if (error instanceof EvaluationError && !(error instanceof CostError)) return error;
      throw error;
    }
  }

  // ---- macros ----

  private macro(node: Macro, scope: Scope | undefined): Value {
    const target = this.run(node.target, scope);
    if (node.name === 'optMap' || node.name === 'optFlatMap') return this.optionalMacro(node, target, scope);
    const steps = this.steps(node, target, scope);
    switch (node.name) {
      case 'all':
        return this.quantify(node, steps, false);
      case 'exists':
        return this.quantify(node, steps, true);
      case 'exists_one':
      case 'existsOne':
        return steps.filter((step) => this.condition(node.args[0]!, step.scope)).length === 1;
      case 'filter':
        return steps.filter((step) => this.condition(node.args[0]!, step.scope)).map((step) => step.item);
      case 'sortBy':
        return this.sortBy(node, steps);
      case 'map':
      case 'transformList':
        return this.filterSteps(node, steps).map((step) => this.run(node.args.at(-1)!, step.scope));
      case 'transformMap':
        return mapFrom(
          this.filterSteps(node, steps).map((step) => [step.key, this.run(node.args.at(-1)!, step.scope)]),
        );
      default:
        return this.mergeEntries(node, steps);
    }
  }

  private filterSteps(node: Macro, steps: readonly Step[]): readonly Step[] {
    return node.args.length === 1 ? steps : steps.filter((step) => this.condition(node.args[0]!, step.scope));
  }

  private sortBy(node: Macro, steps: readonly Step[]): Value {
    const keyed = steps.map((step) => ({ key: this.run(node.args[0]!, step.scope), item: step.item }));
    return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item);
  }

  private mergeEntries(node: Macro, steps: readonly Step[]): Value {
    const entries = this.filterSteps(node, steps).flatMap((step): [Value, Value][] => {
      const map = this.run(node.args.at(-1)!, step.scope);
      if (!isMap(map)) throw noOverload();
      return keysOf(map).map((key) => [key, entryOf(map, key)!]);
    });
    const seen = new Set<string>();
    for (const [key] of entries) {
      if (seen.has(keyText(key))) throw new EvaluationError(`insert failed: key ${toText(key)} already exists`);
      seen.add(keyText(key));
    }
    return mapFrom(entries);
  }

  private steps(node: Macro, target: Value, scope: Scope | undefined): Step[] {
    const list = isList(target);
    if (!list && !isMap(target)) throw noOverload();
    const pairs: [Value, Value][] = list
      ? target.map((item, i) => [BigInt(i), adapt(item)])
      : keysOf(target).map((key) => [key, entryOf(target, key)!]);
    this.charge(pairs.length);
    const [first, second] = node.vars;
    return pairs.map(([key, value]) => {
      const item = node.vars.length === 1 && !list ? key : value;
      if (second === undefined) return { key, item, scope: { name: first!, value: item, outer: scope } };
      return { key, item, scope: { name: second, value, outer: { name: first!, value: key, outer: scope } } };
    });
  }

  private quantify(node: Macro, steps: readonly Step[], decisive: boolean): boolean {
    let failure: EvaluationError | undefined;
    for (const step of steps) {
      const outcome = this.attempt(() => this.condition(node.args[0]!, step.scope));
      if (outcome === decisive) return decisive;
      if (outcome instanceof EvaluationError) failure ??= outcome;
    }
    if (failure) throw failure;
    return !decisive;
  }

  private optionalMacro(node: Macro, target: Value, scope: Scope | undefined): Value {
    if (!(target instanceof Optional)) throw noOverload();
    if (target.value === undefined) return Optional.none;
    const mapped = this.run(node.args[0]!, { name: node.vars[0]!, value: target.value, outer: scope });
    if (node.name === 'optMap') return new Optional(mapped);
    if (!(mapped instanceof Optional)) throw noOverload();
    return mapped;
  }
}

interface Step {
  readonly key: Value;
  readonly item: Value;
  readonly scope: Scope;
}
