import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { MountPoint, MountTable } from '../files/mounts.js';
import { EXECUTE, requirePermission } from '../files/permissions.js';
import { resolveExisting, type Viewer } from '../files/resolve.js';
import type { State } from '../state.js';
import type { Process } from './process.js';

const NO_CREDENTIALS = { user: 0, group: 0, groups: [], capabilities: ['DAC_OVERRIDE', 'DAC_READ_SEARCH'] } as const;

/**
 * The mounts as a process sees them: those of its container, or of a folder below them that chroot has made its root.
 */
export function mountsOf(state: State, process: Pick<Process, 'container' | 'root'>): MountTable {
  const own = state.mounts.get(process.container);
  if (own === undefined || process.root === undefined) return own ?? new Map<Bytes, MountPoint>();
  const id = rootId(process.container, process.root);
  const known = state.roots.get(id);
  if (known !== undefined) return known;
  const made = rebase(own, process.root);
  state.roots.set(id, made);
  return made;
}

const rootId = (container: string, root: Bytes): string => `${container}\0${root}`;

/** Forgets what chroot has made of a container's mounts. */
export function forgetRoots(state: State, container: string): void {
  for (const id of [...state.roots.keys()]) if (id.startsWith(rootId(container, ''))) state.roots.delete(id);
}

/** The part of a mount table below a folder. A folder that has gone has nothing in it, not even itself. */
function rebase(table: MountTable, root: Bytes): MountTable {
  const rebased: MountTable = new Map();
  const place = findRoot(table, root);
  if (place === undefined) return rebased;
  rebased.set('/', { ...place.mount, path: '/', root: place.key });
  for (const mount of table.values()) {
    if (!mount.path.startsWith(`${root}/`)) continue;
    const path = mount.path.slice(root.length);
    rebased.set(path, { ...mount, path });
  }
  return rebased;
}

function findRoot(mounts: MountTable, root: Bytes) {
  try {
    return resolveExisting({ mounts, cwd: '/', credentials: NO_CREDENTIALS }, root);
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/**
 * Makes a folder the root of a process and of the children that it will have. As on Linux, the working directory stays
 * where it is when it is below the new root; elsewhere it would lead out, and becomes the root. Throws ENOTDIR,
 * EACCES, EPERM. Models fs/open.c ksys_chroot.
 */
export function changeRoot(process: Process, viewer: Viewer, path: Bytes): void {
  const place = resolveExisting(viewer, path);
  if (place.node.type !== 'directory') throw new SystemError('ENOTDIR');
  requirePermission(place.node, viewer.credentials, EXECUTE);
  if (!viewer.credentials.capabilities.includes('SYS_CHROOT')) throw new SystemError('EPERM');
  if (place.path === '/') return;
  process.root = `${process.root ?? ''}${place.path}`;
  const isBelow = process.cwd.startsWith(`${place.path}/`);
  process.cwd = isBelow ? process.cwd.slice(place.path.length) : '/';
}
