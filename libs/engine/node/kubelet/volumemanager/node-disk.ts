import { FileTree } from '../../../kernel/files/tree.js';
import type { Reader } from '../../../machinery/client.js';
import { readRows } from '../../cri/records/file-record.js';
import { nodeFiles } from '../../host/files/node-files.js';
import { treeOfNode } from './volumes.js';

/** The files of a node as they are now, to be read only. */
export const openNodeDisk = (node: string, read: Reader): FileTree => {
  const id = treeOfNode(node);
  return new FileTree(id, nodeFiles(node, { read, imageFiles: () => ({}) }), readRows(read, id));
};
