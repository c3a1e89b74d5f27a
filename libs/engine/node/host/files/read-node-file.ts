import { textOf } from '../../../kernel/bytes.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { Reader } from '../../../machinery/client.js';
import { readRows } from '../../cri/records/file-record.js';
import { TreeDisk } from './disk.js';
import { nodeFiles } from './node-files.js';

/** A file that somebody has written on a node's disk, as text; undefined: there is none beside those it came with. */
export function readNodeFile(read: Reader, node: string, path: string): string | undefined {
  const rows = readRows(read, `node/${node}`);
  if (rows.length === 0) return undefined;
  const content = new TreeDisk(
    new FileTree(`node/${node}`, nodeFiles(node, { read, imageFiles: () => ({}) }), rows),
  ).read(path);
  return content === undefined ? undefined : textOf(content);
}
