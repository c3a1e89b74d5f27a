import type { Bytes } from '../../kernel/bytes.js';
import type { FileRow } from '../../kernel/files/tree.js';
import { FileChanges } from '../../kinds/index.js';
import type { FileChange } from '../../kinds/terrarium/filechange/kind.js';
import type { Client, Reader } from '../../machinery/client.js';

/**
 * The content of a file is stored in pieces of so many bytes, so that what is written to a large file costs what is
 * written. A shorter one stands in its inode's row.
 */
const PIECE_BYTES = 64 * 1024;

/** A row as it is stored. `pieces`: so many of them follow one another in the place of the inode's content. */
interface StoredRow extends FileRow {
  readonly pieces?: number;
  readonly piece?: Bytes;
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
  const pieces = new Map(stored.filter((row) => row.piece !== undefined).map(({ id, piece }) => [id, piece!]));
  return stored.filter((row) => row.piece === undefined).map((row) => withContent(row, pieces));
}

/** A row is written anew with each change of its pieces. */
const contents = new WeakMap<StoredRow, Bytes>();

function withContent(stored: StoredRow, pieces: ReadonlyMap<string, Bytes>): FileRow {
  const { pieces: count, ...row } = stored;
  const { id, inode } = row;
  if (count === undefined || inode === undefined) return row;
  let content = contents.get(stored);
  if (content === undefined) {
    content = '';
    // Nothing is copied before somebody reads it.
    for (let i = 0; i < count; i++) content += pieces.get(pieceId(id, i)) ?? '';
    contents.set(stored, content);
  }
  return { ...row, inode: { ...inode, node: { ...inode.node, content } } };
}

/** Writes the changed rows of a tree: a row without anything but its id is deleted. */
export function storeRows(client: Client, tree: string, owner: string, rows: readonly FileRow[]): void {
  for (const row of rows) storeRow(client, tree, owner, row);
}

function storeRow(client: Client, tree: string, owner: string, row: FileRow): void {
  const { id, inode } = row;
  const rowOf = (of: string) => client.get(FileChanges, keyOf(tree, of))?.row as StoredRow | undefined;
  const put = (next: StoredRow): void => putRow(client, tree, owner, next);
  const before = rowOf(id)?.pieces ?? 0;
  const content = inode?.node.content ?? '';
  const count = content.length > PIECE_BYTES ? Math.ceil(content.length / PIECE_BYTES) : 0;
  for (let i = 0; i < count; i++) {
    const piece = content.slice(i * PIECE_BYTES, (i + 1) * PIECE_BYTES);
    if (rowOf(pieceId(id, i))?.piece !== piece) put({ id: pieceId(id, i), piece });
  }
  for (let i = count; i < before; i++) putRow(client, tree, owner, { id: pieceId(id, i) });
  if (count === 0) return put(row);
  const { content: _inPieces, ...node } = inode!.node;
  put({ ...row, inode: { ...inode!, node }, pieces: count });
}

function putRow(client: Client, tree: string, owner: string, row: StoredRow): void {
  const key = keyOf(tree, row.id);
  const stored = client.get(FileChanges, key);
  if (isEmpty(row)) {
    if (stored) client.delete(FileChanges, key);
    return;
  }
  const change = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'FileChange', tree, owner, row };
  if (stored) client.update(FileChanges, { ...change, metadata: stored.metadata } as FileChange);
  else client.create(FileChanges, { ...change, metadata: { name: key.name } } as FileChange);
}

const isEmpty = ({ inode, name, next, piece }: StoredRow): boolean =>
  inode === undefined && name === undefined && next === undefined && piece === undefined;

/** A name that no other row has, without the characters that a name must not have. */
const keyOf = (tree: string, id: string): { readonly namespace: string; readonly name: string } => ({
  namespace: '',
  name: `${encodeURIComponent(tree)}~${encodeURIComponent(id)}`.replaceAll('%', '='),
});
