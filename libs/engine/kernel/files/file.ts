import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';

export type FileType = 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'char' | 'block';

/** One inode, as data. `mode` has the permission bits, set-id bits and the sticky bit: 0o7777. */
export interface FileNode {
  readonly type: FileType;
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  readonly modified: Millis;
  readonly accessed?: Millis;
  readonly changed?: Millis;
  /** A file's content. */
  readonly content?: Bytes;
  /** Instead of the content, of a larger file: it in pieces of PIECE_BYTES, but for the last one. */
  readonly pieces?: readonly Bytes[];
  /** The size of a file whose content is not kept (a binary of an image). */
  readonly size?: number;
  /** The target of a link. */
  readonly target?: Bytes;
  /** The program (Programs) that an executable file of an image stands for. */
  readonly program?: string;
  /** Major and minor number of a device. */
  readonly device?: readonly [number, number];
}

export interface FileStat {
  readonly type: FileType;
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  readonly size: number;
  readonly inode: number;
  readonly links: number;
  readonly modified: Millis;
  readonly accessed: Millis;
  readonly changed: Millis;
  readonly device: readonly [number, number];
  /** Of the file system. */
  readonly fileSystem: string;
  readonly blocks: number;
}

/** A line of /proc/mounts. */
export interface MountEntry {
  readonly source: string;
  readonly path: Bytes;
  /** 'overlay', 'tmpfs', 'ext4', 'proc', 'sysfs', 'devpts'. */
  readonly type: string;
  readonly options: readonly string[];
}

export interface FileSystemStat {
  readonly type: string;
  /** Bytes. */
  readonly total: number;
  readonly used: number;
  readonly available: number;
  readonly inodes: number;
  readonly inodesUsed: number;
}

/**
 * A layer of files that never changes: an image's. Paths are absolute, without a slash at the end; parents that are not
 * named exist as directories of mode 0755 of root. Shared by all containers of the image.
 */
export type ImageFiles = Readonly<Record<string, FileNode>>;
