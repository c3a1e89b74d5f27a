import type { Bytes } from '../bytes.js';
import type { FileSystem } from './file-system.js';
import type { MountTable } from './mounts.js';

/** A tree whose files' content is made when they are opened. */
export interface ComputedFileSystem extends FileSystem {
  readonly isComputed: true;
  content(key: string): Bytes;
  /** Takes what was written to a file; throws SystemError. */
  write(key: string, bytes: Bytes): void;
  /** Whether a file stands on a read-only mount, though its tree is mounted to be written. */
  isReadOnly(key: string): boolean;
  /** The open file that a link of /proc/PID/fd stands for. */
  description(key: string): number | undefined;
  /** What a link of /proc/PID/root leads to. */
  rootOf(key: string): ProcessRoot | undefined;
}

/** Another process' root: its mounts, and whose process it is. */
export interface ProcessRoot {
  readonly mounts: MountTable;
  readonly user: number;
}

export const isComputed = (files: FileSystem): files is ComputedFileSystem => 'isComputed' in files;
