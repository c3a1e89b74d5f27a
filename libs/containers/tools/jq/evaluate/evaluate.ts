import { OPERATORS } from '../values/arithmetic.js';
import { bind, bindAny } from './bind.js';
import type { Budget } from './budget.js';
import { Break, type Outside } from './outside.js';
import { type Closure, type Emit, find, type Path, type Scope } from './scope.js';
import { formatValue } from '../values/formats.js';
import { describe, dump } from '../values/json.js';
import { deletePaths, getKey, getPath, invalidPath, membersOf, setPath, sliceKey } from '../values/paths.js';
import { type Definition, type Node, signature, SyntaxFault } from '../syntax/syntax.js';
import { fail, isArray, isObject, isTruthy, JqFault, type Json } from '../values/values.js';

/** What a builtin gets. */
export interface Call {
  readonly engine: Evaluator;
  readonly args: readonly Closure[];
  readonly value: Json;
  readonly path: Path;
  readonly emit: Emit;
}
export type Builtin = (call: Call) => void;

/** Evaluates programs: every output is given to `emit` at once, so that nothing is kept of an endless one. */
export class Evaluator {
  constructor(
    readonly budget: Budget,
    readonly outside: Outside,
    private readonly builtins: ReadonlyMap<string, Builtin>,
    private readonly prelude: ReadonlyMap<string, Definition>,
  ) {}

  run(node: Node, scope: Scope, value: Json, path: Path, emit: Emit): void {
    this.budget.spend();
    this.budget.enter();
    this.evaluate(node, scope, value, path, emit);
    this.budget.leave();
  }

  /** All outputs of a filter. */
  collect({ node, scope }: Closure, value: Json): Json[] {
    const all: Json[] = [];
    this.run(node, scope, value, undefined, (one) => {
      this.budget.spend();
      all.push(one);
    });
    return all;
  }

  /** The paths that a filter leads to. */
  paths({ node, scope }: Closure, value: Json, emit: (path: readonly Json[], value: Json) => void): void {
    this.run(node, scope, value, [], (one, path) => {
      if (path === null || path === undefined) return invalidPath(one);
      emit(path, one);
    });
  }

  /** Runs what may be ended by `stop`, from within. */
  stoppable(run: (stop: () => never) => void): void {
    const token = {};
    const depth = this.budget.depth;
    try {
      run(() => {
        throw new Break(token);
      });
    } catch (error) {
      if (!(error instanceof Break) || error.token !== token) throw error;
      this.budget.depth = depth;
    }
  }

  /** Runs `run`; what it throws goes to `handle`, but not what the reader of its outputs throws. */
  protect(emit: Emit, run: (emit: Emit) => void, handle: (fault: JqFault) => void): void {
    let isOurs = true;
    const { depth } = this.budget;
    try {
      run((value, path) => {
        try {
          emit(value, path);
        } catch (error) {
          isOurs = false;
          throw error;
        }
      });
    } catch (error) {
      if (!isOurs || !(error instanceof JqFault)) throw error;
      this.budget.depth = depth;
      handle(error);
    }
  }

  private evaluate(node: Node, scope: Scope, value: Json, path: Path, emit: Emit): void {
    const own = path === undefined ? undefined : null;
    switch (node.type) {
      case 'identity':
        return emit(value, path);
      case 'literal':
        return emit(node.value, own);
      case 'recurse':
        return this.recurse(value, path, emit);
      case 'pipe':
        return this.run(node.left, scope, value, path, (one, at) => this.run(node.right, scope, one, at, emit));
      case 'comma':
        this.run(node.left, scope, value, path, emit);
        return this.run(node.right, scope, value, path, emit);
      case 'index':
        return this.run(node.key, scope, value, undefined, (key) =>
          this.run(node.of, scope, value, path, (one, at) => this.step(one, at, key, emit)),
        );
      case 'slice':
        return this.slice(node, scope, value, path, emit);
      case 'iterate':
        return this.run(node.of, scope, value, path, (one, at) => this.iterate(one, at, emit));
      case 'array':
        return emit(node.body === undefined ? [] : this.collect({ node: node.body, scope }, value), own);
      case 'object':
        return this.object(node.entries, 0, new Map(), scope, value, (one) => emit(one, own));
      case 'text':
        return this.text(node, node.parts.length - 1, '', scope, value, (one) => emit(one, own));
      case 'format':
        return emit(formatValue(node.name, value), own);
      case 'negate':
        return this.run(node.of, scope, value, undefined, (one) => {
          if (typeof one !== 'number') return fail(`${describe(one)} cannot be negated`);
          emit(-one, own);
        });
      case 'and':
      case 'or':
        return this.run(node.left, scope, value, undefined, (left) => {
          if (isTruthy(left) === (node.type === 'or')) return emit(node.type === 'or', own);
          this.run(node.right, scope, value, undefined, (right) => emit(isTruthy(right), own));
        });
      case 'alternative':
        return this.alternative(node, scope, value, path, emit);
      case 'binary':
        return this.run(node.right, scope, value, undefined, (right) =>
          this.run(node.left, scope, value, undefined, (left) =>
            emit(OPERATORS[node.operator]!(left, right, this.budget), own),
          ),
        );
      case 'assign':
        return this.assign(node.operator, { node: node.left, scope }, { node: node.right, scope }, value, (one) =>
          emit(one, own),
        );
      case 'if':
        return this.run(node.condition, scope, value, undefined, (one) =>
          this.run(isTruthy(one) ? node.then : node.otherwise, scope, value, path, emit),
        );
      case 'try':
        return this.protect(
          emit,
          (guarded) => this.run(node.body, scope, value, path, guarded),
          ({ value: fault }) => node.handler !== undefined && this.run(node.handler, scope, fault, own, emit),
        );
      case 'reduce':
        return this.reduce(node, scope, value, path, emit);
      case 'foreach':
        return this.foreach(node, scope, value, path, emit);
      case 'define': {
        const { definition } = node;
        const inner = { name: signature(definition.name, definition.parameters.length), definition, parent: scope };
        return this.run(node.body, inner, value, path, emit);
      }
      case 'bind':
        return this.run(node.source, scope, value, undefined, (one) =>
          bindAny(this, node.patterns, scope, one, value, emit, (inner) =>
            this.run(node.body, inner, value, path, emit),
          ),
        );
      case 'label': {
        const token = {};
        const { depth } = this.budget;
        try {
          return this.run(node.body, { name: `*${node.name}`, token, parent: scope }, value, path, emit);
        } catch (error) {
          if (!(error instanceof Break) || error.token !== token) throw error;
          this.budget.depth = depth;
          return;
        }
      }
      case 'break': {
        const found = find(scope, `*${node.name}`);
        throw new Break(found !== null && 'token' in found ? found.token : {});
      }
      case 'variable':
        return emit(this.variable(node.name, scope), own);
      case 'call':
        return this.call(node, scope, value, path, emit);
    }
  }

  private variable(name: string, scope: Scope): Json {
    const found = find(scope, `$${name}`);
    if (found !== null && 'value' in found) return found.value;
    return new Map(Object.entries(this.outside.env));
  }

  step(value: Json, path: Path, key: Json, emit: Emit): void {
    if (path === null) {
      return fail(
        `Invalid path expression near attempt to access element ${dump(key)} of ${dump(value).slice(0, 200)}`,
      );
    }
    emit(getKey(value, key), path === undefined ? undefined : [...path, key]);
  }

  iterate(value: Json, path: Path, emit: Emit): void {
    if (path === null)
      return fail(`Invalid path expression near attempt to iterate through ${dump(value).slice(0, 200)}`);
    for (const [key, member] of membersOf(value)) {
      this.budget.spend();
      emit(member, path === undefined ? undefined : [...path, key]);
    }
  }

  private recurse(value: Json, path: Path, emit: Emit): void {
    this.budget.spend();
    emit(value, path);
    if (!isArray(value) && !isObject(value)) return;
    this.budget.enter();
    this.iterate(value, path, (one, at) => this.recurse(one, at, emit));
    this.budget.leave();
  }

  private slice(node: Node & { type: 'slice' }, scope: Scope, value: Json, path: Path, emit: Emit): void {
    const nothing: Node = { type: 'literal', value: null };
    this.run(node.from ?? nothing, scope, value, undefined, (from) =>
      this.run(node.to ?? nothing, scope, value, undefined, (to) =>
        this.run(node.of, scope, value, path, (one, at) => this.step(one, at, sliceKey(from, to), emit)),
      ),
    );
  }

  private object(
    entries: readonly (readonly [Node, Node])[],
    index: number,
    made: ReadonlyMap<string, Json>,
    scope: Scope,
    value: Json,
    emit: (value: Json) => void,
  ): void {
    const entry = entries[index];
    if (entry === undefined) return emit(made);
    this.run(entry[0], scope, value, undefined, (key) => {
      if (typeof key !== 'string') return fail(`Object keys must be strings`);
      this.run(entry[1], scope, value, undefined, (member) => {
        this.budget.spend(1 + (made.size >> 3));
        this.object(entries, index + 1, new Map(made).set(key, member), scope, value, emit);
      });
    });
  }

  /** The last part is the outermost loop. */
  private text(
    node: Node & { type: 'text' },
    index: number,
    after: string,
    scope: Scope,
    value: Json,
    emit: (value: Json) => void,
  ): void {
    const part = node.parts[index];
    if (part === undefined) return emit(after);
    if (typeof part === 'string') return this.text(node, index - 1, part + after, scope, value, emit);
    this.run(part, scope, value, undefined, (one) => {
      const text = formatValue(node.format === '' ? '@text' : node.format, one);
      this.budget.spend(1 + ((text.length + after.length) >> 6));
      if (text.length + after.length > 4 << 20) return fail('String too long');
      this.text(node, index - 1, text + after, scope, value, emit);
    });
  }

  private alternative(
    node: Node & { left: Node; right: Node },
    scope: Scope,
    value: Json,
    path: Path,
    emit: Emit,
  ): void {
    let hasAny = false;
    const give: Emit = (one, at) => {
      if (!isTruthy(one)) return;
      hasAny = true;
      emit(one, at);
    };
    this.protect(
      give,
      (guarded) => this.run(node.left, scope, value, path, guarded),
      () => undefined,
    );
    if (!hasAny) this.run(node.right, scope, value, path, emit);
  }

  private assign(operator: string, target: Closure, source: Closure, value: Json, emit: (value: Json) => void): void {
    if (operator === '|=') return emit(this.modify(target, value, (one) => this.first(source, one)));
    const plain = operator.slice(0, -1);
    this.run(source.node, source.scope, value, undefined, (right) => {
      if (operator === '=') {
        let result = value;
        this.paths(target, value, (path) => {
          result = setPath(result, path, right, this.budget);
        });
        return emit(result);
      }
      const change = (one: Json): Json =>
        plain === '//' ? (isTruthy(one) ? one : right) : OPERATORS[plain]!(one, right, this.budget);
      emit(this.modify(target, value, change));
    });
  }

  /** The first output; undefined when there is none. */
  first({ node, scope }: Closure, value: Json): Json | undefined {
    let found: Json | undefined;
    this.stoppable((stop) =>
      this.run(node, scope, value, undefined, (one) => {
        found = one;
        stop();
      }),
    );
    return found;
  }

  private modify(target: Closure, value: Json, change: (value: Json) => Json | undefined): Json {
    let result = value;
    const deleted: Json[] = [];
    this.paths(target, value, (path) => {
      const next = change(getPath(result, path));
      if (next === undefined) deleted.push(path);
      else result = setPath(result, path, next, this.budget);
    });
    return deleted.length === 0 ? result : deletePaths(result, deleted, this.budget);
  }

  private reduce(node: Node & { type: 'reduce' }, scope: Scope, value: Json, path: Path, emit: Emit): void {
    this.run(node.init, scope, value, path, (init, initPath) => {
      let [state, at]: [Json, Path] = [init, initPath];
      this.run(node.source, scope, value, undefined, (one) =>
        bind(this, node.pattern, scope, one, value, (inner) => {
          let next: [Json, Path] = [null, path === undefined ? undefined : null];
          this.run(node.update, inner, state, at, (result, resultPath) => {
            next = [result, resultPath];
          });
          [state, at] = next;
        }),
      );
      emit(state, at);
    });
  }

  private foreach(node: Node & { type: 'foreach' }, scope: Scope, value: Json, path: Path, emit: Emit): void {
    this.run(node.init, scope, value, path, (init, initPath) => {
      let [state, at]: [Json, Path] = [init, initPath];
      this.run(node.source, scope, value, undefined, (one) =>
        bind(this, node.pattern, scope, one, value, (inner) =>
          this.run(node.update, inner, state, at, (result, resultPath) => {
            [state, at] = [result, resultPath];
            if (node.extract === undefined) emit(result, resultPath);
            else this.run(node.extract, inner, result, resultPath, emit);
          }),
        ),
      );
    });
  }

  private call(node: Node & { type: 'call' }, scope: Scope, value: Json, path: Path, emit: Emit): void {
    const name = signature(node.name, node.args.length);
    const found = find(scope, name);
    const args = node.args.map((argument) => ({ node: argument, scope }));
    if (found !== null && 'filter' in found) {
      const { filter } = found;
      return this.run(filter.node, filter.scope, value, path, emit);
    }
    if (found !== null && 'definition' in found)
      return this.apply(found.definition, found, args, 0, found, value, path, emit);
    const builtin = this.builtins.get(name);
    if (builtin !== undefined) return builtin({ engine: this, args, value, path, emit });
    const definition = this.prelude.get(name);
    if (definition === undefined) throw new SyntaxFault(`${name} is not defined`, node.at);
    this.apply(definition, null, args, 0, null, value, path, emit);
  }

  private apply(
    definition: Definition,
    home: Scope,
    args: readonly Closure[],
    index: number,
    scope: Scope,
    value: Json,
    path: Path,
    emit: Emit,
  ): void {
    const parameter = definition.parameters[index];
    if (parameter === undefined) return this.run(definition.body, scope, value, path, emit);
    const filter = args[index]!;
    if (!parameter.startsWith('$')) {
      const inner = { name: signature(parameter, 0), filter, parent: scope };
      return this.apply(definition, home, args, index + 1, inner, value, path, emit);
    }
    this.run(filter.node, filter.scope, value, undefined, (one) => {
      const named = { name: parameter, value: one, parent: scope };
      const constant: Closure = { node: { type: 'literal', value: one }, scope: null };
      const inner = { name: signature(parameter.slice(1), 0), filter: constant, parent: named };
      this.apply(definition, home, args, index + 1, inner, value, path, emit);
    });
  }
}
