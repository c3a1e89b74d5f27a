import type { FileTree } from '../../../kernel/files/tree.js';
import type { Millis } from '../../../machinery/time/time.js';

/** As Linux: a path leads over so many links at most. */
const MAX_LINKS = 40;
const MAX_COPIED = 1_000;

/**
 * Copies what a subPath leads to in a volume that shows objects of the API: a container that mounts it keeps what was
 * there when it started, whatever becomes of the object. False: nothing is there. Models pkg/volume/util/subpath
 * doBindSubPath, which mounts the file behind the links.
 */
export function copySubPath(from: FileTree, path: string, to: FileTree, name: string, at: Millis): boolean {
  if (to.find(to.root, name) !== undefined) return true;
  const found = resolveInside(from, path);
  if (found === undefined) return false;
  copy(from, found, to, to.root, name, at, { left: MAX_COPIED });
  return true;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** The key of what a path leads to; links lead nowhere outside the tree. */
function resolveInside(tree: FileTree, path: string): string | undefined {
  let way = [tree.root];
  let rest = partsOf(path);
  for (let links = 0; rest.length > 0;) {
    const [name, ...more] = rest;
    rest = more;
    if (name === '..') {
      way = way.length > 1 ? way.slice(0, -1) : way;
      continue;
    }
    const key = tree.find(way.at(-1)!, name!);
    const node = key === undefined ? undefined : tree.node(key);
    if (!node) return undefined;
    if (node.type !== 'link') {
      way.push(key!);
      continue;
    }
    if (++links > MAX_LINKS) return undefined;
    const target = node.target ?? '';
    if (target.startsWith('/')) way = [tree.root];
    rest = [...partsOf(target), ...more];
  }
  return way.at(-1);
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
