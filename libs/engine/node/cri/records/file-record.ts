import type { Bytes } from '../../../kernel/bytes.js';
import { piecesOf } from '../../../kernel/files/content.js';
import type { FileRow } from '../../../kernel/files/tree.js';
import { FileChanges } from '../../../kinds/index.js';
import type { FileChange } from '../../../kinds/terrarium/filechange/kind.js';
import type { Client, Reader } from '../../../machinery/client.js';
import { decodeBinary, encodeBinary, isBinary } from './binary-text.js';

/**
 * A row as it is stored. The content of a large file stands in rows of its own, so that what is written to it costs
 * what is written. `pieces`: so many of them follow one another in the place of the inode's content. Each is `piece`,
 * or in base64 if that is shorter.
 */
interface StoredRow extends FileRow {
  readonly pieces?: number;
  readonly piece?: Bytes;
  readonly base64?: string;
}

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
  return stored.filter((row) => !isPiece(row)).map((row) => withContent(row, pieces));
}

const isPiece = ({ piece, base64 }: StoredRow): boolean => piece !== undefined || base64 !== undefined;
const bytesOf = ({ piece, base64 }: StoredRow): Bytes => piece ?? decodeBinary(base64 ?? '');
const pieceRow = (id: string, piece: Bytes): StoredRow =>
  isBinary(piece) ? { id, base64: encodeBinary(piece) } : { id, piece };

/** A row is written anew with each change of its pieces. */
const contents = new WeakMap<StoredRow, readonly Bytes[]>();

function withContent(stored: StoredRow, rows: ReadonlyMap<string, StoredRow>): FileRow {
  const { pieces: count, ...row } = stored;
  const { id, inode } = row;
  if (count === undefined || inode === undefined) return row;
  let pieces = contents.get(stored);
  if (pieces === undefined) {
    pieces = Array.from({ length: count }, (_, i) => bytesOf(rows.get(pieceId(id, i)) ?? { id }));
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
  const put = (next: StoredRow): StoredRow | undefined => putRow(client, tree, owner, next);
  const stored = rowOf(id);
  const known = stored && contents.get(stored);
  const pieces = inode ? piecesOf(inode.node) : [];
  for (const [i, piece] of pieces.entries()) {
    // Most pieces are not only alike, but the same in memory.
    if (known?.[i] === piece) continue;
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
  row.inode === undefined && row.name === undefined && row.next === undefined && !isPiece(row);

/** A name that no other row has, without the characters that a name must not have. */
const keyOf = (tree: string, id: string): { readonly namespace: string; readonly name: string } => ({
  namespace: '',
  name: `${encodeURIComponent(tree)}~${encodeURIComponent(id)}`.replaceAll('%', '='),
});
