import type { Bytes } from '../../../kernel/bytes.js';
import { piecesOf, zeros } from '../../../kernel/files/content.js';
import { inodeRow, type FileRow } from '../../../kernel/files/tree.js';
import { writeContent } from '../../../kernel/files/content.js';
import { PIECE_BYTES, sizeOf } from '../../../kernel/files/file-system.js';
import type { FileNode } from '../../../kernel/files/file.js';
import { FileChanges } from '../../../kinds/index.js';
import type { FileChange } from '../../../kinds/terrarium/filechange/kind.js';
import type { Client, Reader } from '../../../machinery/client.js';
import type { Millis } from '../../../machinery/time/time.js';
import { decodeBinary, encodeBinary, isBinary } from './binary-text.js';

/**
 * A row as it is stored. The content of a large file stands in rows of its own, so that what is written to it costs
 * what is written. `pieces`: so many of them follow one another in the place of the inode's content. Each is `piece`,
 * or in base64 if that is shorter.
 * One of zeros only, but for the last, has no row: of a hole nothing is kept.
 */
interface StoredRow extends FileRow {
  readonly pieces?: number;
  readonly piece?: Bytes;
  readonly base64?: string;
  /** What was appended to a log since its inode's row was written, and when. */
  readonly tail?: Bytes;
  readonly at?: Millis;
}

/**
 * Inodes of files that are only appended to by who writes them: what comes costs what it is, in a row of its own, until
 * there are so many.
 */
const LOG_KEY = 'log:';
const MAX_TAILS = 64;
const tailId = (id: string, index: number): string => `t${index} ${id}`;
const isLogRow = (id: string): boolean => id.startsWith(inodeRow(LOG_KEY));
/** A key that no other inode of a tree has, by the revision that it is made at. */
export const logKey = (revision: number): string => `${LOG_KEY}${revision}`;
/** Whether a row says nothing but what a log has. */
export const isOfLog = (row: unknown): boolean =>
  /^(?:[ct]\d+ )?i?log:/.test((row as StoredRow).id) && (row as StoredRow).name === undefined;

/** No id of a FileRow begins so. */
const pieceId = (id: string, index: number): string => `c${index} ${id}`;

/** Deletes the changes of all trees that end with this owner. */
export function deleteFilesOf(client: Client, owner: string): void {
  for (const { metadata } of client.byIndex(FileChanges, 'owner', owner))
    client.delete(FileChanges, { namespace: '', name: metadata.name ?? '' });
}

/** The rows of a tree. */
export function readRows(read: Reader, tree: string): FileRow[] {
  const stored = read.byIndex(FileChanges, 'tree', tree).map(({ row }) => row as StoredRow);
  const pieces = new Map(stored.filter(isPiece).map((row) => [row.id, row]));
  const tails = tailsOf(stored);
  return stored
    .filter((row) => !isPiece(row) && row.tail === undefined)
    .map((row) => withTails(withContent(row, pieces), tails.get(row.id) ?? []));
}

/** What was appended to logs, by the ids of their rows, in its order. */
function tailsOf(stored: readonly StoredRow[]): ReadonlyMap<string, readonly StoredRow[]> {
  const tails = new Map<string, StoredRow[]>();
  for (const row of stored) {
    if (row.tail === undefined) continue;
    const id = row.id.slice(row.id.indexOf(' ') + 1);
    tails.set(id, [...(tails.get(id) ?? []), row]);
  }
  const indexOf = ({ id }: StoredRow): number => Number.parseInt(id.slice(1), 10);
  for (const rows of tails.values()) rows.sort((a, b) => indexOf(a) - indexOf(b));
  return tails;
}

function withTails(row: FileRow, tails: readonly StoredRow[]): FileRow {
  if (row.inode === undefined || tails.length === 0) return row;
  const bytes = tails.map(({ tail = '' }) => tail).join('');
  return { ...row, inode: { ...row.inode, node: appended(row.inode.node, bytes, tails.at(-1)!.at ?? 0) } };
}

const appended = (node: FileNode, bytes: Bytes, now: Millis): FileNode => ({
  ...node,
  ...writeContent(node, sizeOf(node), bytes),
  modified: now,
  changed: now,
});

/** The row of an inode as it is stored now; undefined: there is none. */
export function readInode(read: Reader, tree: string, key: string): FileRow | undefined {
  const rowOf = (id: string) => read.get(FileChanges, keyOf(tree, id))?.row as StoredRow | undefined;
  const id = inodeRow(key);
  const stored = rowOf(id);
  if (!stored) return undefined;
  const pieces = new Map<string, StoredRow>();
  for (let i = 0; i < (stored.pieces ?? 0); i++) {
    const piece = rowOf(pieceId(id, i));
    if (piece) pieces.set(piece.id, piece);
  }
  return withTails(withContent(stored, pieces), isLogRow(id) ? storedTails(read, tree, id) : []);
}

/** The row of a name in a directory, or of an inode without its content. */
export const readRow = (read: Reader, tree: string, id: string): FileRow | undefined =>
  read.get(FileChanges, keyOf(tree, id))?.row as FileRow | undefined;

function storedTails(read: Reader, tree: string, id: string): StoredRow[] {
  const tails: StoredRow[] = [];
  for (let i = 0; i < MAX_TAILS; i++) {
    const row = read.get(FileChanges, keyOf(tree, tailId(id, i)))?.row as StoredRow | undefined;
    if (!row) break;
    tails.push(row);
  }
  return tails;
}

/** Appends to a file whose inode is stored. Returns its row. */
export function appendToInode(
  client: Client,
  { tree, owner, row }: { readonly tree: string; readonly owner: string; readonly row: FileRow },
  bytes: Bytes,
  now: Millis,
): FileRow {
  const { id, inode } = row;
  const next: FileRow = { id, inode: { ...inode!, node: appended(inode!.node, bytes, now) } };
  const count = isLogRow(id) ? storedTails(client, tree, id).length : MAX_TAILS;
  if (count < MAX_TAILS) putRow(client, tree, owner, { id: tailId(id, count), tail: bytes, at: now });
  else storeRow(client, tree, owner, next);
  return next;
}

const isPiece = ({ piece, base64 }: StoredRow): boolean => piece !== undefined || base64 !== undefined;
const bytesOf = ({ piece, base64 }: StoredRow): Bytes => piece ?? decodeBinary(base64 ?? '');
const pieceRow = (id: string, piece: Bytes): StoredRow =>
  isBinary(piece) ? { id, base64: encodeBinary(piece) } : { id, piece };

/** A piece of zeros. */
const HOLE = zeros(PIECE_BYTES);

/** A row is written anew with each change of its pieces. */
const contents = new WeakMap<StoredRow, readonly Bytes[]>();

function withContent(stored: StoredRow, rows: ReadonlyMap<string, StoredRow>): FileRow {
  const { pieces: count, ...row } = stored;
  const { id, inode } = row;
  if (count === undefined || inode === undefined) return row;
  let pieces = contents.get(stored);
  if (pieces === undefined) {
    pieces = Array.from({ length: count }, (_, i) => {
      const piece = rows.get(pieceId(id, i));
      return piece === undefined && i < count - 1 ? HOLE : bytesOf(piece ?? { id });
    });
    contents.set(stored, pieces);
  }
  return { ...row, inode: { ...inode, node: { ...inode.node, pieces } } };
}

/** Writes the changed rows of a tree: a row without anything but its id is deleted. */
export function storeRows(client: Client, tree: string, owner: string, rows: readonly FileRow[]): void {
  for (const row of rows) storeRow(client, tree, owner, row);
}

function storeRow(client: Client, tree: string, owner: string, row: FileRow): void {
  const { id, inode } = row;
  const rowOf = (of: string) => client.get(FileChanges, keyOf(tree, of))?.row as StoredRow | undefined;
  if (isLogRow(id)) for (const tail of storedTails(client, tree, id)) putRow(client, tree, owner, { id: tail.id });
  const put = (next: StoredRow): StoredRow | undefined => putRow(client, tree, owner, next);
  const stored = rowOf(id);
  const known = stored && contents.get(stored);
  const pieces = inode ? piecesOf(inode.node) : [];
  for (const [i, piece] of pieces.entries()) {
    // Most pieces are not only alike, but the same in memory.
    if (known?.[i] === piece) continue;
    if (piece === HOLE && i < pieces.length - 1) {
      if (rowOf(pieceId(id, i))) put({ id: pieceId(id, i) });
      continue;
    }
    const before = known ? undefined : rowOf(pieceId(id, i));
    if (!before || bytesOf(before) !== piece) put(pieceRow(pieceId(id, i), piece));
  }
  for (let i = pieces.length; i < (stored?.pieces ?? 0); i++) put({ id: pieceId(id, i) });
  if (pieces.length === 0) return void put(row);
  const { content: _content, pieces: _pieces, ...node } = inode!.node;
  const next = put({ ...row, inode: { ...inode!, node }, pieces: pieces.length });
  if (next) contents.set(next, pieces);
}

/** The row as it is stored now. */
function putRow(client: Client, tree: string, owner: string, row: StoredRow): StoredRow | undefined {
  const key = keyOf(tree, row.id);
  const stored = client.get(FileChanges, key);
  if (isEmpty(row)) {
    if (stored) client.delete(FileChanges, key);
    return undefined;
  }
  const change = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'FileChange', tree, owner, row };
  const next = stored
    ? client.update(FileChanges, { ...change, metadata: stored.metadata } as FileChange)
    : client.create(FileChanges, { ...change, metadata: { name: key.name } } as FileChange);
  return next.row as StoredRow;
}

const isEmpty = (row: StoredRow): boolean =>
  row.inode === undefined &&
  row.name === undefined &&
  row.next === undefined &&
  row.tail === undefined &&
  !isPiece(row);

/** A name that no other row has, without the characters that a name must not have. */
const keyOf = (tree: string, id: string): { readonly namespace: string; readonly name: string } => ({
  namespace: '',
  name: `${encodeURIComponent(tree)}~${encodeURIComponent(id)}`.replaceAll('%', '='),
});
