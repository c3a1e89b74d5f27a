import type { FileTree } from '../../../kernel/files/tree.js';

/** As Linux: a path leads over so many links at most. */
const MAX_LINKS = 40;

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** The key of what a path of a tree leads to; links lead nowhere outside the tree. Undefined: nothing is there. */
export function resolveInTree(tree: FileTree, path: string): string | undefined {
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
