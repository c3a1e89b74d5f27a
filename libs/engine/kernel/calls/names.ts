import type { Bytes } from '../bytes.js';
import { meetTrouble } from '../containers/trouble.js';
import { SystemError } from '../errno.js';
import type { FileNode } from '../files/file.js';
import { requireUnsticky } from '../files/permissions.js';
import { resolveExisting, resolvePath, type Place } from '../files/resolve.js';
import type { Process } from '../process/process.js';
import { viewerOf } from '../process/viewer.js';
import type { State } from '../state.js';
import { createIn, requireWritableParent, writableTree } from './tree.js';

/** PATH_MAX. */
const MAX_TARGET = 4_096;

/** A place for a new name. Throws EEXIST. */
function freePlace(state: State, process: Process, path: Bytes): Place {
  const place = resolvePath(viewerOf(state, process), path, false);
  if (place.node !== undefined) throw new SystemError('EEXIST');
  meetTrouble(state, process, place.path, 'names');
  return place;
}

export function makeDirectory(state: State, process: Process, path: Bytes, mode: number): void {
  const { credentials } = viewerOf(state, process);
  createIn(state, credentials, freePlace(state, process, path), { type: 'directory', mode: mode & ~process.umask });
}

export function makeNode(
  state: State,
  process: Process,
  path: Bytes,
  type: 'fifo' | 'char' | 'block',
  mode: number,
  device?: readonly [number, number],
): void {
  const { credentials } = viewerOf(state, process);
  if (type !== 'fifo' && !credentials.capabilities.includes('MKNOD')) throw new SystemError('EPERM');
  const place = freePlace(state, process, path);
  if (place.needsDirectory) throw new SystemError('ENOENT');
  createIn(state, credentials, place, { type, mode: mode & ~process.umask, device });
}

export function makeLink(state: State, process: Process, target: Bytes, path: Bytes): void {
  if (target === '') throw new SystemError('ENOENT');
  if (target.length >= MAX_TARGET) throw new SystemError('ENAMETOOLONG');
  const place = freePlace(state, process, path);
  if (place.needsDirectory) throw new SystemError('ENOENT');
  createIn(state, viewerOf(state, process).credentials, place, { type: 'link', mode: 0o777, target });
}

/** A second name of a file. Throws EPERM for a directory, EXDEV across mounts. */
export function linkFile(state: State, process: Process, existing: Bytes, path: Bytes): void {
  const viewer = viewerOf(state, process);
  const source = resolveExisting(viewer, existing, false);
  const place = freePlace(state, process, path);
  if (source.mount !== place.mount) throw new SystemError('EXDEV');
  if (source.node.type === 'directory') throw new SystemError('EPERM');
  requireWritableParent(place, viewer.credentials);
  writableTree(place).link(place.parent!, place.name, source.key, state.now);
}

/** A name that may be taken away. Throws EBUSY for a mount point. */
function removable(state: State, process: Process, path: Bytes): Place & { readonly node: FileNode } {
  const viewer = viewerOf(state, process);
  const place = resolveExisting(viewer, path, false);
  meetTrouble(state, process, place.path, 'names');
  const parent = requireWritableParent(place, viewer.credentials);
  requireUnsticky(parent, place.node, viewer.credentials);
  return place;
}

export function unlink(state: State, process: Process, path: Bytes): void {
  const place = removable(state, process, path);
  if (place.node.type === 'directory') throw new SystemError('EISDIR');
  writableTree(place).unlink(place.parent!, place.name, state.now);
  state.isMemoryChanged = true;
}

export function removeDirectory(state: State, process: Process, path: Bytes): void {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last === '.') throw new SystemError('EINVAL');
  if (last === '..') throw new SystemError('ENOTEMPTY');
  const place = removable(state, process, path);
  if (place.node.type !== 'directory') throw new SystemError('ENOTDIR');
  requireEmpty(place);
  writableTree(place).unlink(place.parent!, place.name, state.now);
}

function requireEmpty(place: Place): void {
  if (place.mount.files.names(place.key).length > 0) throw new SystemError('ENOTEMPTY');
}

/** Throws EXDEV across mounts, EINVAL into itself, ENOTEMPTY, EISDIR and ENOTDIR for what is there. */
export function rename(state: State, process: Process, from: Bytes, to: Bytes): void {
  const viewer = viewerOf(state, process);
  const source = removable(state, process, from);
  const place = resolvePath(viewer, to, false);
  if (source.mount !== place.mount) throw new SystemError('EXDEV');
  const parent = requireWritableParent(place, viewer.credentials);
  if (place.path.startsWith(`${source.path}/`)) throw new SystemError('EINVAL');
  const isDirectory = source.node.type === 'directory';
  if (place.node === undefined) {
    if (place.needsDirectory && !isDirectory) throw new SystemError('ENOTDIR');
  } else {
    requireUnsticky(parent, place.node, viewer.credentials);
    if (isDirectory && place.node.type !== 'directory') throw new SystemError('ENOTDIR');
    if (!isDirectory && place.node.type === 'directory') throw new SystemError('EISDIR');
    if (isDirectory && place.key !== source.key) requireEmpty(place);
  }
  writableTree(place).rename(source.parent!, source.name, place.parent!, place.name, state.now);
}
