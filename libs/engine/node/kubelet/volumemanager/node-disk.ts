import { textOf } from '../../../kernel/bytes.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { Reader } from '../../../machinery/client.js';
import { readRows } from '../../cri/records/file-record.js';
import { nodeFiles } from '../../host/files/node-files.js';
import { resolveInTree } from './tree-path.js';
import { treeOfNode } from './volumes.js';

/** What is read of one file. */
const MAX_FILE_BYTES = 1 << 20;

/** The files of a node as they are now, to be read only. */
export const openNodeDisk = (node: string, read: Reader): FileTree => {
  const id = treeOfNode(node);
  return new FileTree(id, nodeFiles(node, { read, imageFiles: () => ({}) }), readRows(read, id));
};

/** The text of a file of a node; undefined: there is none. */
export function readNodeFile(node: string, path: string, read: Reader): string | undefined {
  const disk = openNodeDisk(node, read);
  const key = resolveInTree(disk, path);
  return key !== undefined && disk.node(key)?.type === 'file' ? textOf(disk.read(key, 0, MAX_FILE_BYTES)) : undefined;
}
