import type { Bytes } from '../../../engine/kernel/bytes.js';

/** A key's value with etcd's own numbers: the revisions that made it and that wrote it last, and how many writes. */
export type KeyValue = { value: Bytes; created: number; modified: number; version: number };

/** What etcd holds, as data: keys in no order. */
export type Store = { revision: number; keys: Record<Bytes, KeyValue> };

export const newStore = (): Store => ({ revision: 1, keys: {} });

/** `end`: '' for the key alone, '\0' for all keys from it on, else the first key that no longer counts. */
export interface Range {
  readonly key: Bytes;
  readonly end: Bytes;
}

export type Target = 'VERSION' | 'CREATE' | 'MOD' | 'VALUE';

/** A condition of a transaction. */
export interface Compare {
  readonly key: Bytes;
  readonly target: Target;
  readonly result: 'EQUAL' | 'GREATER' | 'LESS' | 'NOT_EQUAL';
  readonly operand: number | Bytes;
}

export type Operation =
  | { readonly type: 'put'; readonly key: Bytes; readonly value: Bytes }
  | { readonly type: 'delete'; readonly range: Range }
  | { readonly type: 'range'; readonly range: Range };

export type Result =
  | { readonly type: 'put' }
  | { readonly type: 'delete'; readonly count: number }
  | { readonly type: 'range'; readonly found: readonly (readonly [Bytes, KeyValue])[] };

/** The keys of a range in the order of bytes. */
export function readRange({ keys }: Store, { key, end }: Range): [Bytes, KeyValue][] {
  if (end === '') return Object.hasOwn(keys, key) ? [[key, keys[key]!]] : [];
  return Object.entries(keys)
    .filter(([name]) => name >= key && (end === '\0' || name < end))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Carries out all operations as one revision, which only passes when something is written. */
export function applyAll(store: Store, operations: readonly Operation[]): Result[] {
  const next = store.revision + 1;
  let isWritten = false;
  const results = operations.map((operation): Result => {
    if (operation.type === 'range') return { type: 'range', found: readRange(store, operation.range) };
    if (operation.type === 'delete') {
      const found = readRange(store, operation.range);
      for (const [key] of found) delete store.keys[key];
      isWritten ||= found.length > 0;
      return { type: 'delete', count: found.length };
    }
    const { key, value } = operation;
    const old = Object.hasOwn(store.keys, key) ? store.keys[key] : undefined;
    const fresh = { value, created: old?.created ?? next, modified: next, version: (old?.version ?? 0) + 1 };
    // A key named __proto__ is a key like any other.
    Object.defineProperty(store.keys, key, { value: fresh, enumerable: true, configurable: true, writable: true });
    isWritten = true;
    return { type: 'put' };
  });
  if (isWritten) store.revision = next;
  return results;
}

/** Whether a transaction's condition holds; a key that is not there has zeros. */
export function holds({ keys }: Store, { key, target, result, operand }: Compare): boolean {
  const found = Object.hasOwn(keys, key) ? keys[key] : undefined;
  const own = {
    VERSION: found?.version ?? 0,
    CREATE: found?.created ?? 0,
    MOD: found?.modified ?? 0,
    VALUE: found?.value ?? '',
  }[target];
  if (target === 'VALUE' && !found) return false;
  const order = own === operand ? 0 : own < operand ? -1 : 1;
  return { EQUAL: order === 0, GREATER: order > 0, LESS: order < 0, NOT_EQUAL: order !== 0 }[result];
}

/** What was kept of a store; undefined when it is none. */
export function readStore(kept: unknown): Store | undefined {
  const { revision, keys } = (kept ?? {}) as Partial<Store>;
  return Number.isInteger(revision) && typeof keys === 'object' && keys !== null
    ? { revision: revision!, keys }
    : undefined;
}
