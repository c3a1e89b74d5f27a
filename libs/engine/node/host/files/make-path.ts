import type { FileTree } from '../../../kernel/files/tree.js';
import type { Millis } from '../../../machinery/time/time.js';

/**
 * The folder and the name that a path leads to; folders that are not there are made with this mode. Undefined: it leads
 * through what is no folder.
 */
export function makePath(
  tree: FileTree,
  path: string,
  mode: number,
  now: Millis,
): { readonly folder: string; readonly file: string } | undefined {
  const names = path.split('/').filter((name) => name !== '');
  const file = names.pop();
  if (file === undefined) return undefined;
  let folder = tree.root;
  for (const name of names) {
    const found = tree.find(folder, name);
    const type = found === undefined ? undefined : tree.node(found)?.type;
    if (found !== undefined && type !== 'directory') return undefined;
    folder = found ?? tree.create(folder, name, { type: 'directory', mode, user: 0, group: 0, modified: now }, now);
  }
  return { folder, file };
}
