import { memoize } from '../../machinery/memoize.js';
import type { Bytes } from '../bytes.js';
import type { FileNode } from './file.js';
import type { FileSystem } from './file-system.js';
import { IMPLIED_DIRECTORY } from './lower.js';
import { normalizePath } from './path.js';
import { FileTree } from './tree.js';

/** A tree at a path: a line of /proc/mounts. */
export interface MountPoint {
  readonly path: Bytes;
  readonly files: FileSystem;
  /** The folder or file of the tree that stands there. */
  readonly root: string;
  readonly readOnly: boolean;
  /** Nothing can be added to it, whatever its size is. */
  readonly isFull?: boolean;
  /** As it is without what is wrong with it. */
  readonly sound?: MountPoint;
  readonly source: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** A container's mount namespace: mount points by path, in the order in which they were mounted. */
export type MountTable = Map<Bytes, MountPoint>;

const MOUNTED_FILE: FileNode = { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0 };

/** Mounts over what is there, and makes the point for it where there is nothing, as container runtimes do. */
export function mountAt(table: MountTable, mount: MountPoint): void {
  const isFile = mount.files.node(mount.root)?.type !== 'directory';
  const path = makePoint(table, mount.path, isFile);
  table.set(path, path === mount.path ? mount : { ...mount, path });
}

/** A name on the way to a path, and the path so far. */
interface Step {
  readonly name: Bytes;
  readonly path: Bytes;
}

const MAX_REMEMBERED = 1_000;

/** Volumes of containers are mounted at the same places, hundreds of times in a minute. */
const stepsTo = memoize(MAX_REMEMBERED, (path: Bytes): readonly Step[] => {
  const names = normalizePath(path).split('/').filter(Boolean);
  return names.map((name, i) => ({ name, path: `/${names.slice(0, i + 1).join('/')}` }));
});

/** The path of the mount point without links. */
export function makePoint(table: MountTable, path: Bytes, isFile: boolean): Bytes {
  const root = table.get('/');
  if (root === undefined) return normalizePath(path);
  let [files, key, at] = [root.files, root.root, '/'];
  let steps = stepsTo(path);
  for (let i = 0, links = 0; i < steps.length; i++) {
    const { name, path: child } = steps[i]!;
    const mounted = table.get(child);
    const found = mounted?.root ?? files.find(key, name);
    const node = found === undefined ? undefined : (mounted?.files ?? files).node(found);
    // Links of /proc lead to what other processes have there.
    if (node?.type === 'link' && files instanceof FileTree && links++ < 40) {
      const target = (node.target ?? '').startsWith('/') ? node.target! : `${at}/${node.target}`;
      steps = stepsTo([target, ...steps.slice(i + 1).map((step) => step.name)].join('/'));
      [files, key, at, i] = [root.files, root.root, '/', -1];
      continue;
    }
    const isLast = i === steps.length - 1;
    key = found ?? implyPoint(files, key, name, isLast && isFile);
    files = mounted?.files ?? files;
    at = child;
  }
  return at;
}

function implyPoint(files: FileSystem, parent: string, name: Bytes, isFile: boolean): string {
  if (!(files instanceof FileTree)) return parent;
  return files.imply(parent, name, isFile ? MOUNTED_FILE : IMPLIED_DIRECTORY);
}
