import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { FileNode } from './file.js';
import { keptBytes, PIECE_BYTES, sizeOf } from './file-system.js';

/** ext4's limit is 16 TiB. */
const MAX_FILE_BYTES = 2 ** 44;
/** A hole before what is written is filled, so that it must not be large. */
const MAX_HOLE_BYTES = 64 * 1024 * 1024;

/** Zeros are pieces of this one text: to make and to recognize them copies nothing. */
const ZEROS: Bytes = '\0'.repeat(1024 * 1024);

type Kept = Pick<FileNode, 'content' | 'pieces' | 'size'>;

export const zeros = (length: number): Bytes => (length <= ZEROS.length ? ZEROS.slice(0, length) : '\0'.repeat(length));

/** Whether there are none but zeros. */
export function isZeros(bytes: Bytes): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    if (bytes.charCodeAt(at) !== 0) return false;
    const piece = at === 0 && bytes.length <= ZEROS.length ? bytes : bytes.slice(at, at + ZEROS.length);
    if (piece !== zeros(piece.length)) return false;
  }
  return true;
}

/** At most `max` bytes from an offset; '' at the end. */
export function readContent(node: FileNode, offset: number, max: number): Bytes {
  const end = Math.min(offset + max, sizeOf(node));
  if (offset >= end) return '';
  const kept = sliceKept(node, offset, end);
  return kept.length === end - offset ? kept : kept + zeros(end - offset - kept.length);
}

function sliceKept({ content = '', pieces }: FileNode, offset: number, end: number): Bytes {
  if (pieces === undefined) return content.slice(offset, end);
  let bytes = '';
  for (let i = Math.floor(offset / PIECE_BYTES); i < pieces.length && i * PIECE_BYTES < end; i++) {
    const start = i * PIECE_BYTES;
    bytes += pieces[i]!.slice(Math.max(0, offset - start), end - start);
  }
  return bytes;
}

/** The file's content and size after a write. Throws EFBIG. */
export function writeContent(node: FileNode, offset: number, bytes: Bytes): Kept {
  const kept = keptBytes(node);
  const size = Math.max(sizeOf(node), offset + bytes.length);
  if (size > MAX_FILE_BYTES) throw new SystemError('EFBIG');
  if (offset >= kept && isZeros(bytes)) return withSize(node, size);
  if (offset - kept > MAX_HOLE_BYTES) throw new SystemError('EFBIG');
  const filled = offset > kept ? zeros(offset - kept) + bytes : bytes;
  const at = Math.min(offset, kept);
  return withSize(replaceKept(node, kept, at, filled), size);
}

/** A piece that is not written to stays what it is: a write to a large file costs what is written. */
function replaceKept(node: FileNode, kept: number, at: number, bytes: Bytes): Kept {
  const { content = '', pieces: before } = node;
  const end = at + bytes.length;
  if (before === undefined && Math.max(kept, end) <= PIECE_BYTES) {
    return { content: content.slice(0, at) + bytes + content.slice(end) };
  }
  const pieces = before === undefined ? cut(content) : [...before];
  for (let i = Math.floor(at / PIECE_BYTES); i * PIECE_BYTES < end; i++) {
    const start = i * PIECE_BYTES;
    const piece = pieces[i] ?? '';
    const written = bytes.slice(Math.max(0, start - at), start + PIECE_BYTES - at);
    pieces[i] = piece.slice(0, Math.max(0, at - start)) + written + piece.slice(end - start);
  }
  return { pieces };
}

function cut(content: Bytes): Bytes[] {
  const pieces: Bytes[] = [];
  for (let at = 0; at < content.length; at += PIECE_BYTES) pieces.push(content.slice(at, at + PIECE_BYTES));
  return pieces;
}

export function truncateContent(node: FileNode, length: number): Kept {
  if (length > MAX_FILE_BYTES) throw new SystemError('EFBIG');
  const { content = '', pieces } = node;
  if (pieces === undefined) return withSize({ content: content.slice(0, length) }, length);
  if (length <= PIECE_BYTES) return withSize({ content: pieces[0]!.slice(0, length) }, length);
  const left = pieces.slice(0, Math.ceil(length / PIECE_BYTES));
  const last = left.length - 1;
  left[last] = left[last]!.slice(0, length - last * PIECE_BYTES);
  return withSize({ pieces: left }, length);
}

/** What large content is written down as, and made of again. */
export const piecesOf = ({ content = '', pieces }: FileNode): readonly Bytes[] =>
  pieces ?? (content.length > PIECE_BYTES ? cut(content) : []);

function withSize(kept: Kept, size: number): Kept {
  const { content, pieces } = kept;
  return { content: pieces ? undefined : (content ?? ''), pieces, size: size > keptBytes(kept) ? size : undefined };
}
