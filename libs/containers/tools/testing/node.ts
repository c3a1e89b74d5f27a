import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FileNode } from '../../../engine/kernel/files/file.js';

export type Node = { -readonly [K in keyof FileNode]: FileNode[K] } & { inode: number; children?: Map<Bytes, Node> };
