import type { Bytes } from '../bytes.js';
import type { FileNode } from './file.js';

/** What path resolution and open ask of a tree, be it stored (FileTree) or computed when read (/proc). */
export interface FileSystem {
  readonly id: string;
  /** The key of its root directory. */
  readonly root: string;
  /** The key of a name in a directory. */
  find(directory: string, name: Bytes): string | undefined;
  /** Undefined: there is no such inode any more. */
  node(key: string): FileNode | undefined;
  links(key: string): number;
  /** Names in a directory, in the order of bytes. */
  names(directory: string): Bytes[];
  /** Inodes that are in use. */
  inodes(): number;
  /** Bytes that are in use, and the most that there may be. */
  usedBytes(): number;
  readonly limitBytes: number;
}

/** A larger file's content is kept in such pieces, so that a write to it copies what it changes. */
export const PIECE_BYTES = 64 * 1024;

/** Bytes of content in memory. */
export function keptBytes({ content, pieces }: Pick<FileNode, 'content' | 'pieces'>): number {
  if (pieces === undefined) return content?.length ?? 0;
  return pieces.length === 0 ? 0 : (pieces.length - 1) * PIECE_BYTES + pieces.at(-1)!.length;
}

/** A file's length: content that is not kept is zeros after the content that is. */
export const sizeOf = (node: FileNode): number => {
  if (node.type === 'link') return (node.target ?? '').length;
  if (node.type === 'directory') return 4_096;
  return Math.max(node.size ?? 0, keptBytes(node));
};
