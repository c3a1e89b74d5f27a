import type { Bytes } from '../bytes.js';
import { NO_ENTRY, SystemError } from '../errno.js';
import type { FileNode } from './file.js';
import { isComputed, type ProcessRoot } from './computed-file-system.js';
import type { MountPoint, MountTable } from './mounts.js';
import { joinPath } from './path.js';
import { EXECUTE, requirePermission, type Credentials } from './permissions.js';

const MAX_LINKS = 40;
const MAX_PATH = 4_096;
const MAX_NAME = 255;

/** Where a path leads: `node` is undefined when only the last name is missing. */
export interface Place {
  readonly mount: MountPoint;
  readonly key: string;
  readonly node: FileNode | undefined;
  /** Without links, '.' and '..'. */
  readonly path: Bytes;
  readonly name: Bytes;
  /** The key of the directory, in the same tree; undefined at the root of a mount. */
  readonly parent: string | undefined;
  /** A link of /proc/PID/fd was followed: the open file itself. */
  readonly description?: number;
  /** The path ends with a slash: only a directory will do. */
  readonly needsDirectory: boolean;
}

interface Step {
  readonly mount: MountPoint;
  readonly key: string;
  readonly node: FileNode;
  readonly path: Bytes;
  readonly name: Bytes;
  readonly parent: string | undefined;
}

export interface Viewer {
  readonly mounts: MountTable;
  readonly cwd: Bytes;
  readonly credentials: Credentials;
}

/**
 * Walks a path. Throws ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG. Models fs/namei.c.
 * @param follow whether a link at the end is followed
 */
export function resolvePath(viewer: Viewer, path: Bytes, follow: boolean): Place {
  if (path === '') throw NO_ENTRY;
  if (path.length >= MAX_PATH) throw new SystemError('ENAMETOOLONG');
  const isAbsolute = path.startsWith('/');
  const trusted = isAbsolute ? 0 : countNames(viewer.cwd);
  const names = `${isAbsolute ? '' : viewer.cwd}/${path}`.split('/').filter((name) => name !== '' && name !== '.');
  return walk(viewer, names, follow, trusted, endsAsDirectory(path));
}

const countNames = (path: Bytes): number => path.split('/').filter(Boolean).length;

const endsAsDirectory = (path: Bytes): boolean => path.endsWith('/') || path.endsWith('/.') || path === '.';

/** @param trusted how many names are those of the working directory, which needs no permission any more */
function walk(viewer: Viewer, names: Bytes[], follow: boolean, trusted: number, needsDirectory: boolean): Place {
  const root = rootOf(viewer.mounts);
  let [stack, mounts, base]: [Step[], MountTable, Bytes] = [[root], viewer.mounts, ''];
  let links = 0;
  const left = names.reverse();
  for (let walked = 0; left.length > 0; walked++) {
    const name = left.pop()!;
    const here = stack.at(-1)!;
    if (here.node.type !== 'directory') throw new SystemError('ENOTDIR');
    if (name === '..') {
      if (stack.length > 1) stack.pop();
      continue;
    }
    if (name.length > MAX_NAME) throw new SystemError('ENAMETOOLONG');
    if (walked >= trusted) requirePermission(here.node, viewer.credentials, EXECUTE);
    const isLast = left.length === 0;
    const child = enter(mounts, here, name, base);
    if (child.node === undefined) {
      if (!isLast) throw NO_ENTRY;
      return { ...child, needsDirectory };
    }
    if (child.node.type !== 'link' || (isLast && !follow && !needsDirectory)) {
      stack.push(child as Step);
      continue;
    }
    const description = isComputed(child.mount.files) ? child.mount.files.description(child.key) : undefined;
    if (description !== undefined && isLast) return { ...child, description, needsDirectory };
    if (++links > MAX_LINKS) throw new SystemError('ELOOP');
    const other = isComputed(child.mount.files) ? child.mount.files.rootOf(child.key) : undefined;
    if (other !== undefined) {
      requireTrace(other, viewer.credentials);
      [stack, mounts, base] = [[{ ...rootOf(other.mounts), path: child.path, name }], other.mounts, child.path];
      continue;
    }
    const target = child.node.target ?? '';
    if (target.startsWith('/')) [stack, mounts, base] = [[root], viewer.mounts, ''];
    for (const part of target.split('/').reverse()) if (part !== '' && part !== '.') left.push(part);
    trusted = 0;
  }
  const end = stack.at(-1)!;
  if (needsDirectory && end.node.type !== 'directory') throw new SystemError('ENOTDIR');
  return { ...end, needsDirectory };
}

function rootOf(mounts: MountTable): Step {
  const mount = mounts.get('/');
  const node = mount?.files.node(mount.root);
  if (mount === undefined || node === undefined) throw NO_ENTRY;
  return { mount, key: mount.root, node, path: '/', name: '', parent: undefined };
}

/** Models kernel/ptrace.c ptrace_may_access, by users. */
function requireTrace({ user }: ProcessRoot, { user: own, capabilities }: Credentials): void {
  if (user !== own && !capabilities.includes('SYS_PTRACE')) throw new SystemError('EACCES');
}

/** `base`: the path that the root of the mounts has. */
function enter(mounts: MountTable, here: Step, name: Bytes, base: Bytes): Omit<Place, 'needsDirectory'> {
  const path = joinPath(here.path, name);
  const mounted = mounts.get(path.slice(base.length));
  if (mounted !== undefined) {
    const node = mounted.files.node(mounted.root);
    return { mount: mounted, key: mounted.root, node, path, name, parent: undefined };
  }
  const { mount } = here;
  const key = mount.files.find(here.key, name);
  const node = key === undefined ? undefined : mount.files.node(key);
  return { mount, key: key ?? '', node, path, name, parent: here.key };
}

/** Throws ENOENT when the last name is missing. */
export function resolveExisting(viewer: Viewer, path: Bytes, follow = true): Place & { readonly node: FileNode } {
  const place = resolvePath(viewer, path, follow);
  if (place.node === undefined) throw NO_ENTRY;
  return place as Place & { readonly node: FileNode };
}
