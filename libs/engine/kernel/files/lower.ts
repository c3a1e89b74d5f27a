import type { Bytes } from '../bytes.js';
import type { FileNode, ImageFiles } from './file.js';
import { baseName, parentPath } from './path.js';

/** The names in each directory of a layer, directories that only paths imply among them. */
export type DirectoryIndex = ReadonlyMap<string, ReadonlySet<Bytes>>;

const indexes = new WeakMap<ImageFiles, DirectoryIndex>();

/** Computed once for a layer: layers never change. */
export function indexOf(files: ImageFiles): DirectoryIndex {
  const known = indexes.get(files);
  if (known !== undefined) return known;
  const index = new Map<string, Set<Bytes>>([['/', new Set()]]);
  for (const [path, node] of Object.entries(files)) {
    addPath(index, path);
    if (node.type === 'directory' && !index.has(path)) index.set(path, new Set());
  }
  indexes.set(files, index);
  return index;
}

function addPath(index: Map<string, Set<Bytes>>, path: string): void {
  for (let child = path; child !== '/'; child = parentPath(child)) {
    const parent = parentPath(child);
    const names = index.get(parent);
    if (names?.has(baseName(child))) return;
    if (names === undefined) index.set(parent, new Set([baseName(child)]));
    else names.add(baseName(child));
  }
}

/** A directory that no layer names: it exists since a path below it does. */
export const IMPLIED_DIRECTORY: FileNode = { type: 'directory', mode: 0o755, user: 0, group: 0, modified: 0 };
