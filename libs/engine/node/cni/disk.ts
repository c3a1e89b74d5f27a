import type { Bytes } from '../../kernel/bytes.js';

/** A node's disk, as its services read it. */
export interface Disk {
  read(path: string): Bytes | undefined;
  has(path: string): boolean;
  list(path: string): readonly string[];
}
