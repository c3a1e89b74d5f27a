import { hash32 } from '../../machinery/random.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { meetTrouble, overrideStat } from '../containers/trouble.js';
import { SystemError } from '../errno.js';
import type { FileNode, FileStat, FileSystemStat, MountEntry } from '../files/file.js';
import { sizeOf, type FileSystem } from '../files/file-system.js';
import { EXECUTE, isMember, isPermitted, READ, requireOwner, requirePermission, WRITE } from '../files/permissions.js';
import { resolveExisting } from '../files/resolve.js';
import type { Process } from '../process/process.js';
import { takenOf } from '../proc/system.js';
import { listMounts } from '../proc/mounts.js';
import { viewerOf } from '../process/viewer.js';
import type { State } from '../state.js';
import { isOnReadOnly } from './open.js';
import { modeFor, writableTree } from './tree.js';

const BLOCK = 512;
const PAGE = 4_096;
/** What df shows of a tree without a limit: the node's disk. */
const DISK_BYTES = 100 * 1024 ** 3;
const DISK_INODES = 6_553_600;

export function stat(state: State, process: Process, path: Bytes, follow: boolean): FileStat {
  const place = resolveExisting(viewerOf(state, process), path, follow);
  if (place.description !== undefined) return statDescription(state, place.description);
  return overrideStat(state, process, place.path, statNode(place.mount.files, place.key, place.node));
}

export function statNode(files: FileSystem, key: string, node: FileNode): FileStat {
  const size = sizeOf(node);
  return {
    type: node.type,
    mode: node.mode,
    user: node.user,
    group: node.group,
    size,
    inode: inodeNumber(files, key),
    links: files.links(key),
    modified: node.modified,
    accessed: node.accessed ?? node.modified,
    changed: node.changed ?? node.modified,
    device: node.device ?? [0, 0],
    fileSystem: files.id,
    blocks: node.type === 'file' ? (Math.ceil(size / PAGE) * PAGE) / BLOCK : node.type === 'directory' ? 8 : 0,
  };
}

/** New inodes have small numbers, those of the image a number that its path gives. */
const inodeNumber = (files: FileSystem, key: string): number =>
  key.startsWith('#') ? 1_000_000 + Number(key.slice(1)) : 2_000_000 + (hash32(files.id + key) % 60_000_000);

/** What fstat says of something that stands in no tree. */
export function statDescription(state: State, id: number): FileStat {
  const open = state.descriptions.get(id);
  if (open === undefined) throw new SystemError('EBADF');
  if (open.type === 'file' || open.type === 'directory' || open.type === 'computed') {
    const files = state.trees.get(open.tree);
    const node = files?.node(open.key);
    if (files === undefined || node === undefined) throw new SystemError('EIO');
    return statNode(files, open.key, node);
  }
  const isDevice = open.type === 'device' || open.type === 'terminal';
  const type = isDevice ? 'char' : open.type === 'socket' ? 'socket' : 'fifo';
  const minor = { null: 3, zero: 5, full: 7, random: 9 };
  const device: [number, number] =
    open.type === 'device' ? [1, minor[open.device]] : open.type === 'terminal' ? [136, open.terminal] : [0, 0];
  const inode = 10_000 + (open.type === 'pipe' ? open.pipe : open.type === 'socket' ? open.socket : open.id);
  return {
    type,
    mode: isDevice ? 0o620 : 0o600,
    user: 0,
    group: 0,
    size: 0,
    inode,
    links: 1,
    modified: state.bootedAt,
    accessed: state.bootedAt,
    changed: state.bootedAt,
    device,
    fileSystem: open.type,
    blocks: 0,
  };
}

export function readDirectory(state: State, process: Process, path: Bytes): Bytes[] {
  const viewer = viewerOf(state, process);
  const place = resolveExisting(viewer, path);
  if (place.node.type !== 'directory') throw new SystemError('ENOTDIR');
  requirePermission(place.node, viewer.credentials, READ);
  meetTrouble(state, process, place.path, 'read');
  return place.mount.files.names(place.key);
}

export function readLink(state: State, process: Process, path: Bytes): Bytes {
  const place = resolveExisting(viewerOf(state, process), path, false);
  if (place.node.type !== 'link') throw new SystemError('EINVAL');
  return place.node.target ?? '';
}

const ACCESS: Readonly<Record<string, number>> = { r: 4, w: 2, x: 1 };

export function access(state: State, process: Process, path: Bytes, mode: string): boolean {
  const viewer = viewerOf(state, process);
  try {
    const place = resolveExisting(viewer, path);
    let asked = 0;
    for (const letter of mode) asked |= ACCESS[letter] ?? 0;
    if ((asked & WRITE) !== 0 && isOnReadOnly(place) && place.node.type !== 'char') return false;
    return isPermitted(place.node, viewer.credentials, asked);
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

export function chmod(state: State, process: Process, path: Bytes, mode: number): void {
  const { place, credentials } = changeable(state, process, path, true);
  requireOwner(place.node, credentials);
  const bits = modeFor(place.node, mode & 0o7777, credentials);
  writableTree(place).update(place.key, { mode: bits, changed: state.now });
}

/** -1 leaves the user or the group as it is. */
export function chown(state: State, process: Process, path: Bytes, user: number, group: number, follow: boolean): void {
  const { place, credentials } = changeable(state, process, path, follow);
  const { node } = place;
  const isOwner = node.user === credentials.user;
  const isAllowed =
    credentials.capabilities.includes('CHOWN') ||
    (isOwner && (user === -1 || user === node.user) && (group === -1 || isMember(credentials, group)));
  if (!isAllowed) throw new SystemError('EPERM');
  const mode = node.type === 'file' && !credentials.capabilities.includes('FSETID') ? node.mode & 0o1777 : node.mode;
  const owners = { user: user === -1 ? node.user : user, group: group === -1 ? node.group : group };
  writableTree(place).update(place.key, { ...owners, mode, changed: state.now });
}

export function setTimes(state: State, process: Process, path: Bytes, accessed: Millis, modified: Millis): void {
  const { place, credentials } = changeable(state, process, path, true);
  if (place.node.user !== credentials.user) requirePermission(place.node, credentials, WRITE);
  writableTree(place).update(place.key, { accessed, modified, changed: state.now });
}

function changeable(state: State, process: Process, path: Bytes, follow: boolean) {
  const viewer = viewerOf(state, process);
  return { place: resolveExisting(viewer, path, follow), credentials: viewer.credentials };
}

export function mountEntries(state: State, process: Process): MountEntry[] {
  return listMounts(state, process).map(({ source, path, type, options }) => ({ source, path, type, options }));
}

export function statFileSystem(state: State, process: Process, path: Bytes): FileSystemStat {
  const { mount } = resolveExisting(viewerOf(state, process), path);
  const isMemory =
    mount.type === 'proc' || mount.type === 'sysfs' || mount.type === 'cgroup2' || mount.type === 'devpts';
  const total = isMemory ? 0 : Math.min(mount.files.limitBytes, DISK_BYTES);
  // A file system in memory is not on the disk that something else fills.
  const isOnDisk = !isMemory && mount.type !== 'tmpfs' && total === DISK_BYTES;
  const taken = isOnDisk ? takenOf(state, 'disk', total) : 0;
  const used = mount.isFull ? total : Math.max(taken, mount.files.usedBytes());
  return {
    type: mount.type,
    total,
    used,
    available: Math.max(0, total - used),
    inodes: isMemory ? 0 : DISK_INODES,
    inodesUsed: isMemory ? 0 : Math.max(isOnDisk ? takenOf(state, 'inodes', DISK_INODES) : 0, mount.files.inodes()),
  };
}

/** The path without links, '.' and '..'. */
export const realPath = (state: State, process: Process, path: Bytes): Bytes =>
  resolveExisting(viewerOf(state, process), path).path;

/** Throws ENOTDIR, EACCES. */
export function directoryFor(state: State, process: Process, path: Bytes): Bytes {
  const viewer = viewerOf(state, process);
  const place = resolveExisting(viewer, path);
  if (place.node.type !== 'directory') throw new SystemError('ENOTDIR');
  requirePermission(place.node, viewer.credentials, EXECUTE);
  return place.path;
}
