import type { FileTree } from '../../../kernel/files/tree.js';
import type { Millis } from '../../../machinery/time/time.js';
import { resolveInTree } from './tree-path.js';

const MAX_COPIED = 1_000;

/**
 * Copies what a subPath leads to in a volume that shows objects of the API: a container that mounts it keeps what was
 * there when it started, whatever becomes of the object. False: nothing is there. Models pkg/volume/util/subpath
 * doBindSubPath, which mounts the file behind the links.
 */
export function copySubPath(from: FileTree, path: string, to: FileTree, name: string, at: Millis): boolean {
  if (to.find(to.root, name) !== undefined) return true;
  const found = resolveInTree(from, path);
  if (found === undefined) return false;
  copy(from, found, to, to.root, name, at, { left: MAX_COPIED });
  return true;
}

function copy(
  from: FileTree,
  key: string,
  to: FileTree,
  parent: string,
  name: string,
  at: Millis,
  budget: { left: number },
): void {
  const node = from.node(key);
  if (!node || budget.left-- <= 0) return;
  const made = to.create(parent, name, { ...node }, at);
  if (node.type !== 'directory') return;
  for (const child of from.names(key)) copy(from, from.find(key, child)!, to, made, child, at, budget);
}
