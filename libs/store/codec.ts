import { isAscii } from 'node:buffer';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import type { AppliedChange, Change, KubeObject } from '@terrarium/engine';
import { shareWithin } from './share-equal.js';
import { TextBuffer } from './text-buffer.js';

/**
 * The bytes of one segment are a JSON array with one row a change, deflated when that pays. A field that the previous
 * object had already (the same value in memory: a pod's spec in a status update) is written as `SAME`: the reader has
 * the previous object, because changes are replayed in order.
 */
type Row = [
  form: Form,
  resource: string,
  namespace: string,
  name: string,
  actor: string,
  cause: number,
  at: number,
  object: unknown,
];

const enum Form {
  Put = 0,
  PutShared = 1,
  Delete = 2,
  DeleteShared = 3,
}

/**
 * Stands for the previous value. An object that has this very value in a field is written whole. In the place of an
 * object: it is the previous one, at another revision, as most that are deleted.
 */
const SAME = 0;
/** Whether a field of a stored change that shares with the object before it has that object's value. */
export const isSame = (value: unknown): boolean => value === SAME;
/** No JSON of a row has a line end: where one row ends in the text is seen by it. */
const ROW_END = ',\n';
// Deflate level 1 does about 1 GB/s on segments of like pods and makes them 20 to 30 times smaller.
const DEFLATE_FROM_BYTES = 8 * 1024;
/** A zlib stream's first byte; JSON's is '['. */
const ZLIB = 0x78;
/** No segment inflates to more: a guard against a damaged row. */
const INFLATED_MAX_BYTES = 256 * 1024 * 1024;
const INFLATE_CHUNK_MIN_BYTES = 64 * 1024;
const INFLATE_CHUNK_MAX_BYTES = 8 * 1024 * 1024;
const SCRATCH_MAX_BYTES = 8 * 1024 * 1024;

/** Memory only: encoding one segment fills and clears it. */
const buffer = new TextBuffer(SCRATCH_MAX_BYTES);

/** A change as it was stored: complete but for the fields that `restore` takes from the previous object. */
export interface StoredChange extends Omit<Change, 'object'> {
  readonly body: unknown;
  readonly shared: boolean;
  /** The encoded size of an object that was written whole; undefined where the text does not tell it. */
  readonly bodyBytes: number | undefined;
}

/** A segment's bytes, and the bytes of its text. */
export interface EncodedChanges {
  readonly stored: Buffer;
  readonly textBytes: number;
}

/** What knows the JSON of objects, and is told the encoded size of those that were created. */
export interface ObjectTexts {
  textOf(object: KubeObject): string;
  recordSize(object: KubeObject, bytes: number): void;
}

const UNKNOWN: ObjectTexts = { textOf: (object) => JSON.stringify(object), recordSize: () => undefined };

/** The bytes of a segment, whose text is as long as what its changes do not share with the objects before them. */
export function encodeChanges(changes: readonly AppliedChange[], texts = UNKNOWN): EncodedChanges {
  try {
    buffer.append('[');
    for (const change of changes) {
      if (buffer.length > 1) buffer.append(ROW_END);
      if (change.type === 'put' && !change.old) appendCreation(change, texts);
      else buffer.append(JSON.stringify(toRow(change)));
    }
    buffer.append(']');
    return { stored: pack(buffer.view()), textBytes: buffer.length };
  } finally {
    buffer.clear();
  }
}

/** Throws when the bytes are not a segment's. `first` is the revision of its first change. */
export const decodeChanges = (bytes: Uint8Array, first: number): StoredChange[] => decodeSegment(bytes, first).changes;

/** The same, with the length of the segment's text. */
export function decodeSegment(bytes: Uint8Array, first: number): { changes: StoredChange[]; textLength: number } {
  const { text, isAscii } = unpackText(bytes);
  const rows = JSON.parse(text) as Row[];
  const sizes = isAscii ? measureRows(text, rows.length) : undefined;
  const changes = rows.map((row, i) =>
    toStored(row, first + i, row[0] === Form.Put && sizes ? sizes[i]! - bytesOfHead(row) - ']'.length : undefined),
  );
  return { changes, textLength: text.length };
}

/**
 * Some changes of a segment's text (`unpack`), without parsing the others: those of revisions `from` to `to`. Undefined
 * when the segment is of when rows had no line ends between, or has not all of them.
 */
export function changesInText(text: string, first: number, from: number, to: number): StoredChange[] | undefined {
  const start = skipRows(text, 1, from - first);
  if (start === undefined) return undefined;
  const next = skipRows(text, start, to - from + 1);
  const rows = parseRows(text.slice(start, next === undefined ? -1 : next - ROW_END.length));
  return rows?.length === to - from + 1 ? rows.map((row, i) => toStored(row, from + i, undefined)) : undefined;
}

/** The same of those changes whose row has all of these texts; the first one is looked for in all rows at once. */
export function changesWith(text: string, first: number, parts: readonly string[]): StoredChange[] | undefined {
  const found: StoredChange[] = [];
  let [start, revision] = [1, first];
  for (let at = text.indexOf(parts[0]!, start); at !== -1; at = text.indexOf(parts[0]!, start)) {
    let next = skipRows(text, start, 1);
    for (; next !== undefined && next <= at; next = skipRows(text, start, 1)) [start, revision] = [next, revision + 1];
    const line = text.slice(start, next === undefined ? -1 : next - ROW_END.length);
    const rows = parts.every((part) => line.includes(part)) ? parseRows(line) : [];
    if (rows === undefined || rows.length > 1) return undefined;
    if (rows.length === 1) found.push(toStored(rows[0]!, revision, undefined));
    if (next === undefined) break;
    [start, revision] = [next, revision + 1];
  }
  return found;
}

/** Where the text goes on after so many rows; undefined: there are not more. */
function skipRows(text: string, from: number, count: number): number | undefined {
  let start = from;
  for (let i = 0; i < count; i++) {
    const lineEnd = text.indexOf('\n', start);
    if (lineEnd === -1) return undefined;
    start = lineEnd + 1;
  }
  return start;
}

function parseRows(text: string): Row[] | undefined {
  try {
    return JSON.parse(`[${text}]`) as Row[];
  } catch {
    // Not whole rows: they have no line ends between.
    return undefined;
  }
}

const bytesOfHead = ([form, resource, namespace, name, actor, cause, at]: Row): number =>
  headOfRow(form, resource, namespace, name, actor, cause, at).length;

const toStored = (
  [form, resource, namespace, name, actor, cause, at, body]: Row,
  revision: number,
  bodyBytes: number | undefined,
): StoredChange => ({
  revision,
  type: form === Form.Put || form === Form.PutShared ? 'put' : 'delete',
  resource,
  namespace,
  name,
  actor,
  cause,
  at,
  body,
  shared: form === Form.PutShared || form === Form.DeleteShared,
  bodyBytes,
});

/** Bytes of each row; undefined for a segment of when rows had no line ends between. */
function measureRows(text: string, rows: number): number[] | undefined {
  const sizes: number[] = [];
  for (let start = 1; start < text.length;) {
    const lineEnd = text.indexOf('\n', start);
    const end = (lineEnd === -1 ? text.length : lineEnd) - 1;
    sizes.push(end - start);
    start = end + ROW_END.length;
  }
  return sizes.length === rows ? sizes : undefined;
}

/** The whole change; `previous` is the object that it replaced or deleted. */
export function restore(stored: StoredChange, previous: KubeObject | undefined): Change {
  const { body, shared } = stored;
  if (!shared) return toChange(stored, body as KubeObject);
  if (!previous)
    throw new Error(
      `revision ${stored.revision} of ${stored.resource} ${stored.namespace}/${stored.name} changes an object that is not there`,
    );
  const resourceVersion = String(stored.revision);
  if (body === SAME) return toChange(stored, { ...previous, metadata: { ...previous.metadata, resourceVersion } });
  const object = fillSame(body as Fields, previous as unknown as Fields);
  const metadata = fillSame(object['metadata'] as Fields, previous.metadata as unknown as Fields);
  metadata['resourceVersion'] = resourceVersion;
  object['metadata'] = metadata;
  return toChange(stored, object as unknown as KubeObject);
}

/** Every field by its name: a rest of the stored change would be a slow object. */
const toChange = (stored: StoredChange, object: KubeObject): Change => ({
  revision: stored.revision,
  type: stored.type,
  resource: stored.resource,
  namespace: stored.namespace,
  name: stored.name,
  actor: stored.actor,
  cause: stored.cause,
  at: stored.at,
  object,
});

/** JSON text as stored bytes, in memory of their own: zlib's piece is several times as large as what it holds. */
const pack = (text: Buffer): Buffer =>
  Buffer.from(text.length < DEFLATE_FROM_BYTES ? text : deflateSync(text, { level: 1 }));

export const unpack = (bytes: Uint8Array): string => unpackText(bytes).text;

function unpackText(bytes: Uint8Array): { text: string; isAscii: boolean } {
  const plain =
    bytes[0] === ZLIB
      ? inflateSync(bytes, { maxOutputLength: INFLATED_MAX_BYTES, chunkSize: chunkSizeFor(bytes.length) })
      : bytes;
  const whole = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
  // The decoder of plain ASCII is several times faster.
  return isAscii(whole)
    ? { text: whole.toString('latin1'), isAscii: true }
    : { text: whole.toString(), isAscii: false };
}

/** Large enough that most segments inflate into one piece. */
const chunkSizeFor = (deflated: number): number =>
  Math.min(INFLATE_CHUNK_MAX_BYTES, Math.max(INFLATE_CHUNK_MIN_BYTES, 32 * deflated));

/** So many bytes of a segment have the head of its first row. */
const HEAD_BYTES = 4 * 1024;
const FIRST_ROW = /^\[\[\d,(?:"(?:[^"\\]|\\.)*",){4}\d+,(\d+),/;

/** When a segment's first change was made, without inflating the others; undefined when it has none. */
export function timeOfFirst(bytes: Uint8Array): number | undefined {
  const start = bytes.subarray(0, HEAD_BYTES);
  const head = bytes[0] === ZLIB ? inflateSync(start, { finishFlush: constants.Z_SYNC_FLUSH }) : Buffer.from(start);
  const at = FIRST_ROW.exec(head.toString('latin1'))?.[1];
  return at === undefined ? undefined : Number(at);
}

/** The bytes of a segment of one revision at which the whole state was replaced by that revision's checkpoint. */
export const RESET: Uint8Array = Uint8Array.of(0x52);

/** No change leads over this segment: who has what is before it loads the cluster anew. */
export const isReset = ({ changes }: { readonly changes: Uint8Array }): boolean =>
  changes.length === RESET.length && changes[0] === RESET[0];

type Fields = Record<string, unknown>;

function appendCreation(change: AppliedChange, texts: ObjectTexts): void {
  const { resource, namespace, name, actor, cause, at, object } = change;
  buffer.append(headOfRow(Form.Put, resource, namespace, name, actor, cause, at));
  texts.recordSize(object, buffer.append(texts.textOf(object)));
  buffer.append(']');
}

/** A row's text up to its object. */
const headOfRow = (...head: readonly (string | number)[]): string => `${JSON.stringify(head).slice(0, -1)},`;

function toRow(change: AppliedChange): Row {
  const { resource, namespace, name, actor, cause, at, object, old } = change;
  const put = change.type === 'put';
  const revision = String(change.revision);
  const isGone = !put && old !== undefined && isAsBefore(object, old, revision);
  const body = isGone ? SAME : old && shorten(object as unknown as Fields, old as unknown as Fields, revision);
  const isShared = body !== undefined;
  const form = put ? (isShared ? Form.PutShared : Form.Put) : isShared ? Form.DeleteShared : Form.Delete;
  return [form, resource, namespace, name, actor, cause, at, body ?? object];
}

/** Whether a deleted object has the very values that it had before, but for the revision. */
const isAsBefore = (object: KubeObject, old: KubeObject, revision: string): boolean =>
  object.metadata.resourceVersion === revision &&
  hasValuesOf(object as unknown as Fields, old as unknown as Fields, 'metadata') &&
  hasValuesOf(object.metadata as unknown as Fields, old.metadata as unknown as Fields, 'resourceVersion');

function hasValuesOf(fields: Fields, old: Fields, but: string): boolean {
  for (const name in fields) if (name !== but && fields[name] !== old[name]) return false;
  for (const name in old) if (!(name in fields)) return false;
  return true;
}

/** The object with SAME for each value of `old`; undefined when it has that very value and must be written whole. */
function shorten(object: Fields, old: Fields, revision: string): Fields | undefined {
  const body = replaceSame(object, old);
  const metadata = replaceSame(object['metadata'] as Fields, old['metadata'] as Fields);
  if (!body || !metadata || metadata['resourceVersion'] !== revision) return undefined;
  metadata['resourceVersion'] = SAME;
  body['metadata'] = metadata;
  return body;
}

function replaceSame(fields: Fields, old: Fields): Fields | undefined {
  const short: Fields = {};
  for (const name in fields) {
    const value = fields[name];
    if (value === SAME) return undefined;
    short[name] = value !== undefined && value === old[name] ? SAME : value;
  }
  return short;
}

/** What a field that was written again has in common with the old one is shared; it stays a value of its own. */
function fillSame(fields: Fields, old: Fields): Fields {
  const whole: Fields = {};
  for (const name in fields) {
    const value = fields[name];
    // Those of the metadata are filled one by one.
    if (value !== SAME && name !== 'metadata') shareWithin(old[name], value);
    whole[name] = value === SAME ? old[name] : value;
  }
  return whole;
}
