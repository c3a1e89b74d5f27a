import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { FileNode } from './file.js';
import { sizeOf } from './file-system.js';

/** ext4's limit is 16 TiB. */
const MAX_FILE_BYTES = 2 ** 44;
/** A hole before what is written is filled, so that it must not be large. */
const MAX_HOLE_BYTES = 64 * 1024 * 1024;

const ZEROS_ONLY = /^\0*$/;

export const zeros = (length: number): Bytes => '\0'.repeat(length);

/** At most `max` bytes from an offset; '' at the end. */
export function readContent(node: FileNode, offset: number, max: number): Bytes {
  const content = node.content ?? '';
  const end = Math.min(offset + max, sizeOf(node));
  if (offset >= end) return '';
  const kept = content.slice(offset, end);
  return kept.length === end - offset ? kept : kept + zeros(end - offset - kept.length);
}

/** The file's content and size after a write. Throws EFBIG. */
export function writeContent(node: FileNode, offset: number, bytes: Bytes): Pick<FileNode, 'content' | 'size'> {
  const content = node.content ?? '';
  const size = Math.max(sizeOf(node), offset + bytes.length);
  if (size > MAX_FILE_BYTES) throw new SystemError('EFBIG');
  if (offset >= content.length && ZEROS_ONLY.test(bytes)) return withSize(content, size);
  if (offset - content.length > MAX_HOLE_BYTES) throw new SystemError('EFBIG');
  const before = offset <= content.length ? content.slice(0, offset) : content + zeros(offset - content.length);
  return withSize(before + bytes + content.slice(offset + bytes.length), size);
}

export function truncateContent(node: FileNode, length: number): Pick<FileNode, 'content' | 'size'> {
  if (length > MAX_FILE_BYTES) throw new SystemError('EFBIG');
  return withSize((node.content ?? '').slice(0, length), length);
}

const withSize = (content: Bytes, size: number): Pick<FileNode, 'content' | 'size'> => ({
  content,
  size: size > content.length ? size : undefined,
});
