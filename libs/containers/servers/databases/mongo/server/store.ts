import { textOf, bytesOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { keepData, readKept } from '../../../keep.js';
import { MongoFailure } from '../failure.js';
import { valuesAt } from '../data/query.js';
import { compareValues, isEqual, type Document, type Value } from '../data/value.js';

export type Index = { name: string; key: Document; unique: boolean };
export type Collection = { documents: Document[]; indexes: Index[] };
/** A database's collections by name; it lies in one file of the data directory. */
export type Database = Record<string, Collection>;
export type Databases = Record<string, Database>;

const MAX_BYTES = 8 << 20;
const MAX_COLLECTIONS = 1_000;
const FILE = /^(.+)\.terrarium\.wt$/;

export const makeCollection = (): Collection => ({
  documents: [],
  indexes: [{ name: '_id_', key: { _id: 1 }, unique: true }],
});

export const databaseFile = (directory: Bytes, name: string): Bytes => `${directory}/${bytesOf(name)}.terrarium.wt`;

/** What lies in a data directory; null: a file is damaged. */
export function loadDatabases(sys: Syscalls, directory: Bytes): Databases | null {
  const databases: Databases = {};
  for (const file of sys.readDirectory(directory)) {
    const [, name] = FILE.exec(textOf(file)) ?? [];
    if (name === undefined) continue;
    const kept = readKept(sys, `${directory}/${file}`);
    if (typeof kept !== 'object' || kept === null || !Object.values(kept).every(isCollection)) return null;
    databases[name] = kept as Database;
  }
  return databases;
}

const isCollection = (value: unknown): value is Collection => {
  const collection = value as Partial<Collection> | null;
  return Array.isArray(collection?.documents) && Array.isArray(collection.indexes);
};

/** Writes one database down, or removes the file of one that is empty. Throws SystemError. */
export function keepDatabase(sys: Syscalls, directory: Bytes, databases: Databases, name: string): void {
  const database = databases[name];
  if (database !== undefined && Object.keys(database).length > 0)
    return keepData(sys, databaseFile(directory, name), database);
  delete databases[name];
  if (sys.access(databaseFile(directory, name), '')) sys.unlink(databaseFile(directory, name));
}

/** Bytes of all documents, about. */
export const sizeOf = (value: unknown): number => JSON.stringify(value).length;

export function findCollection(databases: Databases, database: string, name: string): Collection | undefined {
  const found = Object.hasOwn(databases, database) ? databases[database] : undefined;
  return found && Object.hasOwn(found, name) ? found[name] : undefined;
}

/** The collection of a write, which makes it when it is not there. Throws MongoFailure for a name that cannot be. */
export function needCollection(databases: Databases, database: string, name: string): Collection {
  if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(database)) throw new MongoFailure(73, `Invalid database name: '${database}'`);
  if (name === '' || name.includes('$') || name.includes('\0') || name.length > 200)
    throw new MongoFailure(73, `Invalid namespace specified '${database}.${name}'`);
  if (name === '__proto__' || database === '__proto__') throw new MongoFailure(73, 'Invalid namespace specified');
  const own = (databases[database] ??= {});
  if (!Object.hasOwn(own, name) && Object.keys(own).length >= MAX_COLLECTIONS)
    throw new MongoFailure(14_031, 'too many collections');
  return (own[name] ??= makeCollection());
}

/** Throws MongoFailure when the data would be more than one server keeps. */
export function needRoom(databases: Databases, added: unknown): void {
  if (sizeOf(databases) + sizeOf(added) > MAX_BYTES)
    throw new MongoFailure(14_031, 'available disk space is less than required');
}

/** Throws MongoFailure when a document has what another one has in a unique index. */
export function needUnique(
  namespace: string,
  { documents, indexes }: Collection,
  document: Document,
  own?: Document,
): void {
  for (const { name, key, unique } of indexes) {
    if (!unique) continue;
    const keyOf = (one: Document): Value[] => Object.keys(key).map((path) => valuesAt(one, path.split('.'))[0] ?? null);
    const values = keyOf(document);
    const other = documents.find((one) => one !== own && isEqual(keyOf(one), values));
    if (other === undefined) continue;
    const shown = Object.keys(key).map((path, i) => `${path}: ${showKey(values[i]!)}`);
    throw new MongoFailure(
      11_000,
      `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown.join(', ')} }`,
    );
  }
}

const showKey = (value: Value): string =>
  typeof value === 'object' && value !== null && '$oid' in value
    ? `ObjectId('${String(value['$oid'])}')`
    : JSON.stringify(value);

export const sortNames = (names: readonly string[]): string[] => [...names].sort((a, b) => compareValues(a, b));
