import type { Emit, Runner, Scope } from './scope.js';
import { type Pattern, variablesOf } from '../syntax/syntax.js';
import { getKey } from '../values/paths.js';
import { fail, isArray, type Json, typeOf } from '../values/values.js';

/** `?//`: the first pattern whose body does not fail; the others' variables are null. */
export function bindAny(
  engine: Runner,
  patterns: readonly Pattern[],
  scope: Scope,
  one: Json,
  value: Json,
  emit: Emit,
  body: (scope: Scope) => void,
): void {
  const [first, ...rest] = patterns;
  if (rest.length === 0) return bind(engine, first!, scope, one, value, body);
  const base = patterns
    .flatMap(variablesOf)
    .reduce<Scope>((parent, name) => ({ name: `$${name}`, value: null, parent }), scope);
  engine.protect(
    emit,
    () => bind(engine, first!, base, one, value, body),
    () => bindAny(engine, rest, base, one, value, emit, body),
  );
}

/** Gives `body` the names of a pattern, once for each way that its keys have. */
export function bind(
  engine: Runner,
  pattern: Pattern,
  scope: Scope,
  one: Json,
  value: Json,
  body: (scope: Scope) => void,
): void {
  if (pattern.type === 'variable') return body({ name: `$${pattern.name}`, value: one, parent: scope });
  if (pattern.type === 'array') {
    if (one !== null && !isArray(one)) return fail(`Cannot index ${typeOf(one)} with number`);
    const next = (index: number, inner: Scope): void => {
      const item = pattern.items[index];
      if (item === undefined) return body(inner);
      bind(engine, item, inner, one?.[index] ?? null, value, (deeper) => next(index + 1, deeper));
    };
    return next(0, scope);
  }
  const next = (index: number, inner: Scope): void => {
    const entry = pattern.entries[index];
    if (entry === undefined) return body(inner);
    engine.run(entry.key, inner, value, undefined, (key) => {
      if (typeof key !== 'string') return fail(`Cannot index ${typeOf(one)} with ${typeOf(key)}`);
      const member = getKey(one, key);
      const named = entry.variable === undefined ? inner : { name: `$${entry.variable}`, value: member, parent: inner };
      if (entry.pattern === undefined) return next(index + 1, named);
      bind(engine, entry.pattern, named, member, value, (deeper) => next(index + 1, deeper));
    });
  };
  next(0, scope);
}
