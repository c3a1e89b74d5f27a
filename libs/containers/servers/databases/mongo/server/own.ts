import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { MongoFailure } from '../failure.js';
import { fieldOf, isDocument, numberOf, type Document, type Value } from '../data/value.js';
import { keepDatabase, type Databases } from './store.js';

/** A server's own state. */
export type Own = {
  argv: Bytes[];
  port: number;
  directory: Bytes;
  hasAuthentication: boolean;
  version: string;
  databases: Databases;
  startedAt: number;
  isReady: boolean;
  connections: number;
  /** Documents that a client has not fetched yet. */
  cursors: { id: number; namespace: string; documents: Document[] }[];
  nextCursor: number;
};

/** A connection's own: who it is, and what it said while it proved that. */
export type Client = { user: string | null; begun: { name: string; bare: string; first: string } | null };

/** One command on its way. */
export interface Call {
  readonly own: Own;
  readonly sys: Syscalls;
  readonly client: Client;
  readonly command: string;
  readonly database: string;
  readonly document: Document;
}

export type Commands = Readonly<Record<string, (call: Call) => Document>>;

/** The text of a field; throws for anything else. */
export function textField({ document, command }: Call, name: string): string {
  const value = fieldOf(document, name);
  if (typeof value === 'string') return value;
  throw new MongoFailure(14, `BSON field '${command}.${name}' is the wrong type, expected type 'string'`);
}

export const documentField = ({ document }: Call, name: string): Document => {
  const value = fieldOf(document, name);
  return isDocument(value) ? value : {};
};

export const listField = ({ document }: Call, name: string): Document[] => {
  const value = fieldOf(document, name);
  return Array.isArray(value) ? value.filter(isDocument) : [];
};

export const numberField = ({ document }: Call, name: string): number | undefined => numberOf(fieldOf(document, name));

/** The collection that a command names after itself. */
export const collectionName = (call: Call): string => textField(call, call.command);

export const keep = ({ sys, own, database }: Call, name = database): void =>
  keepDatabase(sys, own.directory, own.databases, name);

/** An ObjectId: seconds, and bytes by chance. */
export function makeId(sys: Pick<Syscalls, 'now' | 'random'>): Value {
  const seconds = Math.floor(sys.now / 1_000)
    .toString(16)
    .padStart(8, '0');
  const rest = Array.from({ length: 8 }, () =>
    Math.floor(sys.random() * 256)
      .toString(16)
      .padStart(2, '0'),
  );
  return { $oid: seconds + rest.join('') };
}

const MAX_CURSORS = 100;
const FIRST_BATCH = 101;

/** The first documents of a result; the rest waits at a cursor. */
export function openCursor(
  { own, document }: Call,
  namespace: string,
  documents: Document[],
  single = false,
): Document {
  const cursorField = fieldOf(document, 'cursor');
  const size = numberOf(
    fieldOf(document, 'batchSize') ?? (isDocument(cursorField) ? cursorField['batchSize'] : undefined),
  );
  const count = size ?? FIRST_BATCH;
  const rest = single ? [] : documents.slice(count);
  let id = 0;
  if (rest.length > 0) {
    id = own.nextCursor++;
    own.cursors = [...own.cursors.slice(-MAX_CURSORS + 1), { id, namespace, documents: rest }];
  }
  return { cursor: { firstBatch: documents.slice(0, count), id: { $numberLong: String(id) }, ns: namespace }, ok: 1.0 };
}
