import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { CommandFailure } from './resp.js';

/**
 * Names as keys of a plain object: each with a dot before it, so that no name is one of JavaScript's own and the order
 * is that of insertion.
 */
export type Dictionary<Value> = Record<string, Value>;

export const getIn = <Value>(dictionary: Dictionary<Value>, name: Bytes): Value | undefined => dictionary[`.${name}`];
export const putIn = <Value>(dictionary: Dictionary<Value>, name: Bytes, value: Value): void => {
  dictionary[`.${name}`] = value;
};
export function removeFrom<Value>(dictionary: Dictionary<Value>, name: Bytes): boolean {
  const has = `.${name}` in dictionary;
  if (has) delete dictionary[`.${name}`];
  return has;
}
export const namesOf = (dictionary: Dictionary<unknown>): Bytes[] =>
  Object.keys(dictionary).map((name) => name.slice(1));

/** What a consumer has got and not acknowledged: by the entry's id. */
export type Pending = { consumer: Bytes; at: number; count: number };
export type Group = { last: Bytes; pending: Dictionary<Pending>; consumers: Dictionary<number> };

/** Entries are an id and then fields with their values. */
export type Stream = { last: Bytes; entries: Bytes[][]; groups?: Dictionary<Group> };

interface Values {
  string: Bytes;
  list: Bytes[];
  hash: Dictionary<Bytes>;
  set: Dictionary<1>;
  zset: Dictionary<number>;
  stream: Stream;
}
export type ValueType = keyof Values;
export type Value = { [Type in ValueType]: { type: Type; value: Values[Type] } }[ValueType];
export type Entry = Value & { expiresAt: number | null };
export type Database = Dictionary<Entry>;

export const WRONG_TYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';

const EMPTY: { readonly [Type in ValueType]: () => Values[Type] } = {
  string: () => '',
  list: () => [],
  hash: () => ({}),
  set: () => ({}),
  zset: () => ({}),
  stream: () => ({ last: '0-0', entries: [] }),
};

/** One database at one moment. */
export class Keys {
  constructor(
    readonly database: Database,
    readonly now: Millis,
  ) {}

  /** Removes it when its time is over. */
  find(key: Bytes): Entry | undefined {
    const entry = getIn(this.database, key);
    if (entry === undefined || entry.expiresAt === null || entry.expiresAt > this.now) return entry;
    removeFrom(this.database, key);
    return undefined;
  }

  /** Throws WRONGTYPE for a key of another type. */
  read<Type extends ValueType>(key: Bytes, type: Type): Values[Type] | undefined {
    const entry = this.find(key);
    if (entry === undefined) return undefined;
    if (entry.type !== type) throw new CommandFailure(WRONG_TYPE);
    return entry.value as Values[Type];
  }

  /** The value, made when there is none: call `tidy` after. */
  make<Type extends Exclude<ValueType, 'string'>>(key: Bytes, type: Type): Values[Type] {
    const known = this.read(key, type);
    if (known !== undefined) return known;
    const value: Values[Type] = EMPTY[type]();
    putIn(this.database, key, { type, value, expiresAt: null } as Entry);
    return value;
  }

  write(key: Bytes, value: Bytes, expiresAt: Millis | null): void {
    putIn<Entry>(this.database, key, { type: 'string', value, expiresAt });
  }

  remove(key: Bytes): boolean {
    return this.find(key) !== undefined && removeFrom(this.database, key);
  }

  /** A key whose value has become empty is none. */
  tidy(key: Bytes): void {
    const entry = this.find(key);
    if (entry !== undefined && entry.type !== 'string' && Object.keys(entry.value).length === 0)
      removeFrom(this.database, key);
  }

  names(): Bytes[] {
    return namesOf(this.database).filter((name) => this.find(name) !== undefined);
  }
}

const ENTRY_BYTES = 64;
const ITEM_BYTES = 16;

/** About what a real server's allocator counts. */
export function measure(databases: readonly Database[]): number {
  let bytes = 0;
  for (const database of databases) {
    for (const [name, { type, value }] of Object.entries(database)) {
      bytes += ENTRY_BYTES + name.length;
      if (type === 'string') bytes += value.length;
      else if (type === 'stream') for (const item of value.entries.flat()) bytes += ITEM_BYTES + item.length;
      else if (type === 'list') for (const item of value) bytes += ITEM_BYTES + item.length;
      else
        for (const [field, item] of Object.entries(value))
          bytes += ITEM_BYTES + field.length + (typeof item === 'string' ? item.length : 8);
    }
  }
  return bytes;
}
