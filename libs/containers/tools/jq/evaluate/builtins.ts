import { add, splitText } from '../values/arithmetic.js';
import type { Builtin, Call } from './evaluate.js';
import { FUNCTIONS, type Simple } from './functions.js';
import { describe, dump } from '../values/json.js';
import { MATH } from '../values/math.js';
import { deletePaths, getPath, setPath } from '../values/paths.js';
import type { Closure, Path } from './scope.js';
import { ORDERED } from '../values/sorting.js';
import { fail, isArray, isTruthy, JqFault, type Json } from '../values/values.js';

/** Ends jq: `halt`, `halt_error`. */
export class Halt extends Error {
  constructor(
    readonly code: number,
    override readonly message: string,
  ) {
    super(message);
  }
}

const lost = (path: Path): Path => (path === undefined ? undefined : null);

/** A function of values: for each combination of its arguments' outputs. */
const simple =
  (run: Simple): Builtin =>
  ({ engine, args, value, path, emit }) => {
    const next = (index: number, given: Json[]): void => {
      const argument = args[index];
      if (argument === undefined) {
        engine.budget.spend();
        return emit(run(value, ...given), lost(path));
      }
      engine.run(argument.node, argument.scope, value, undefined, (one) => next(index + 1, [...given, one]));
    };
    next(0, []);
  };

const firstOf = (argument: Closure | undefined, { engine, value }: Call, use: (one: Json) => void): void =>
  engine.run(argument!.node, argument!.scope, value, undefined, use);

const number = (value: Json, message: string): number => (typeof value === 'number' ? value : fail(message));

/** `range(a; b; step)` for all combinations. */
function range(call: Call, from: Closure | undefined, to: Closure, by?: Closure): void {
  const { engine, emit, path } = call;
  const message = 'Range bounds must be numeric';
  const count = (start: number, end: number, step: number): void => {
    if (step === 0) while (start < end) give(start);
    for (let at = start; step > 0 ? at < end : at > end; at += step) give(at);
  };
  const give = (at: number): void => {
    engine.budget.spend();
    emit(at, lost(path));
  };
  firstOf(from, call, (start) =>
    firstOf(to, call, (end) => {
      if (by === undefined) return count(number(start, message), number(end, message), 1);
      firstOf(by, call, (step) => count(number(start, message), number(end, message), number(step, message)));
    }),
  );
}

/** Goes on from each value to those that `f` leads to; the tree is walked without nesting. */
function recurse({ engine, args: [f], value, path, emit }: Call): void {
  const stack: [Json, Path][] = [[value, path]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    engine.budget.spend();
    emit(next[0], next[1]);
    const inner: [Json, Path][] = [];
    engine.run(f!.node, f!.scope, next[0], next[1], (one, at) => {
      engine.budget.spend();
      inner.push([one, at]);
    });
    stack.push(...inner.reverse());
  }
}

/** `while` and `until`. */
function loop({ engine, args: [condition, update], value, path, emit }: Call, isUntil: boolean): void {
  const stack: [Json, Path][] = [[value, path]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [at, atPath] = next;
    const inner: [Json, Path][] = [];
    engine.run(condition!.node, condition!.scope, at, undefined, (one) => {
      if (isTruthy(one) === isUntil) return isUntil ? emit(at, atPath) : undefined;
      if (!isUntil) emit(at, atPath);
      engine.run(update!.node, update!.scope, at, atPath, (result, resultPath) => {
        engine.budget.spend();
        inner.push([result, resultPath]);
      });
    });
    stack.push(...inner.reverse());
  }
}

function limit(call: Call): void {
  const { engine, args, value, path, emit } = call;
  firstOf(args[0], call, (given) => {
    const count = number(given, 'Invalid arguments to limit');
    if (count <= 0) return;
    let left = count;
    engine.stoppable((stop) =>
      engine.run(args[1]!.node, args[1]!.scope, value, path, (one, at) => {
        left--;
        emit(one, at);
        if (left <= 0) stop();
      }),
    );
  });
}

function first({ engine, args: [f], value, path, emit }: Call): void {
  engine.stoppable((stop) =>
    engine.run(f!.node, f!.scope, value, path, (one, at) => {
      emit(one, at);
      stop();
    }),
  );
}

function last({ engine, args: [f], value, path, emit }: Call): void {
  let found: [Json, Path] | undefined;
  engine.run(f!.node, f!.scope, value, path, (one, at) => {
    found = [one, at];
  });
  if (found !== undefined) emit(...found);
}

function nth(call: Call): void {
  const { engine, args, value, path, emit } = call;
  firstOf(args[0], call, (given) => {
    let left = number(given, 'Invalid arguments to nth');
    if (left < 0) return fail('Out of bounds negative array index');
    engine.stoppable((stop) =>
      engine.run(args[1]!.node, args[1]!.scope, value, path, (one, at) => {
        if (left-- > 0) return;
        emit(one, at);
        stop();
      }),
    );
  });
}

/** `any(gen; cond)`, `all(gen; cond)`. */
function quantify({ engine, args: [source, condition], value, path, emit }: Call, isAny: boolean): void {
  let answer = !isAny;
  engine.stoppable((stop) =>
    engine.run(source!.node, source!.scope, value, undefined, (one) =>
      engine.run(condition!.node, condition!.scope, one, undefined, (holds) => {
        if (isTruthy(holds) !== isAny) return;
        answer = isAny;
        stop();
      }),
    ),
  );
  emit(answer, lost(path));
}

function getpath(call: Call): void {
  const { engine, args, path, value, emit } = call;
  firstOf(args[0], call, (at) => {
    if (!isArray(at)) return fail('Path must be specified as an array');
    engine.budget.spend(at.length);
    emit(getPath(value, at), path === undefined || path === null ? path : [...path, ...at]);
  });
}

const SPECIAL: Readonly<Record<string, Builtin>> = {
  'empty/0': () => undefined,
  'error/1': (call) =>
    firstOf(call.args[0], call, (value) => {
      throw new JqFault(value);
    }),
  'path/1': ({ engine, args: [f], value, path, emit }) => engine.paths(f!, value, (at) => emit(at, lost(path))),
  'getpath/1': getpath,
  'setpath/2': (call) =>
    firstOf(call.args[0], call, (at) =>
      firstOf(call.args[1], call, (to) => {
        if (!isArray(at)) return fail('Path must be specified as an array');
        call.emit(setPath(call.value, at, to, call.engine.budget), lost(call.path));
      }),
    ),
  'delpaths/1': (call) =>
    firstOf(call.args[0], call, (paths) =>
      call.emit(deletePaths(call.value, paths, call.engine.budget), lost(call.path)),
    ),
  'recurse/0': ({ engine, value, path, emit }) => engine.run({ type: 'recurse' }, null, value, path, emit),
  'recurse/1': recurse,
  'repeat/1': recurse,
  'while/2': (call) => loop(call, false),
  'until/2': (call) => loop(call, true),
  'limit/2': limit,
  'first/1': first,
  'last/1': last,
  'nth/2': nth,
  'isempty/1': ({ engine, args: [f], value, path, emit }) => emit(engine.first(f!, value) === undefined, lost(path)),
  'any/2': (call) => quantify(call, true),
  'all/2': (call) => quantify(call, false),
  'range/2': (call) => range(call, call.args[0], call.args[1]!),
  'range/3': (call) => range(call, call.args[0], call.args[1]!, call.args[2]),
  'add/0': ({ engine, value, path, emit }) => {
    let sum: Json = null;
    engine.iterate(value, undefined, (one) => (sum = add(sum, one, engine.budget)));
    emit(sum, lost(path));
  },
  'split/1': (call) =>
    firstOf(call.args[0], call, (separator) => {
      const { value, engine, emit, path } = call;
      if (typeof value !== 'string' || typeof separator !== 'string')
        return fail('split input and separator must be strings');
      emit(splitText(value, separator, engine.budget), lost(path));
    }),
  'now/0': ({ engine, path, emit }) => emit(engine.outside.now, lost(path)),
  'input_filename/0': ({ engine, path, emit }) => emit(engine.outside.filename, lost(path)),
  'input_line_number/0': ({ engine, path, emit }) => emit(engine.outside.line(), lost(path)),
  'input/0': ({ engine, path, emit }) => {
    const value = engine.outside.input();
    emit(value === undefined ? fail('No more inputs') : value, lost(path));
  },
  'inputs/0': ({ engine, path, emit }) => {
    for (let value = engine.outside.input(); value !== undefined; value = engine.outside.input())
      emit(value, lost(path));
  },
  'debug/0': ({ engine, value, path, emit }) => {
    engine.outside.say(`["DEBUG:",${dump(value)}]\n`);
    emit(value, path);
  },
  'stderr/0': ({ engine, value, path, emit }) => {
    engine.outside.say(typeof value === 'string' ? value : dump(value));
    emit(value, path);
  },
  'halt/0': () => {
    throw new Halt(0, '');
  },
  'halt_error/1': (call) =>
    firstOf(call.args[0], call, (code) => {
      const { value } = call;
      const status = number(code, 'halt_error/1: number required');
      const words = value === null ? '' : `${dump(value)}\n`;
      throw new Halt(status, typeof value === 'string' ? value : words);
    }),
  '_by/2': (call) =>
    firstOf(call.args[1], call, (what) => {
      const { engine, args, value, emit, path } = call;
      const items = isArray(value)
        ? value
        : fail(`${describe(value)} cannot be ${what === 'group' ? 'grouped' : 'sorted'}, as it is not an array`);
      engine.budget.spend(items.length * Math.max(1, Math.ceil(Math.log2(items.length + 1))));
      const keyed = items.map((item) => ({ item, key: engine.collect(args[0]!, item) }));
      emit(ORDERED[String(what)]!(keyed), lost(path));
    }),
};

/** Builtins that are not written in jq, by name and count of arguments. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...Object.entries({ ...FUNCTIONS, ...MATH }).map(([name, run]): [string, Builtin] => [name, simple(run)]),
  ...Object.entries(SPECIAL),
]);
