import type { Bytes } from '../bytes.js';
import type { FileNode } from './file.js';

/** A part of a tree's lower layer that is made when somebody looks: what lies below some of its directories. */
export interface LiveFiles {
  /** Whether what lies in this directory is of the part. */
  covers(directory: string): boolean;
  /** Names in a directory of the part, in any order; none when there is no such directory. */
  names(directory: string): readonly Bytes[];
  /** Undefined: there is no such file. */
  node(path: string): FileNode | undefined;
}
