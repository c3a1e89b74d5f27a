import { SystemError } from '../errno.js';
import type { FileNode } from '../files/file.js';
import { EXECUTE, isMember, requirePermission, WRITE, type Credentials } from '../files/permissions.js';
import type { Place } from '../files/resolve.js';
import { FileTree } from '../files/tree.js';
import type { State } from '../state.js';

/** The tree of a place that may be changed. Throws EROFS; of a computed tree: EPERM. */
export function writableTree(place: Pick<Place, 'mount'>): FileTree {
  if (place.mount.readOnly) throw new SystemError('EROFS');
  if (!(place.mount.files instanceof FileTree)) throw new SystemError('EPERM');
  return place.mount.files;
}

/** Throws EACCES without the right to write into the directory of a place. */
export function requireWritableParent(place: Place, credentials: Credentials): FileNode {
  const parent = place.parent === undefined ? undefined : place.mount.files.node(place.parent);
  if (parent === undefined) throw new SystemError('EBUSY');
  if (place.mount.readOnly) throw new SystemError('EROFS');
  requirePermission(parent, credentials, WRITE | EXECUTE);
  return parent;
}

type NewNode = Pick<FileNode, 'type' | 'mode'> & Partial<FileNode>;

/** Makes the inode that is missing at a place. A directory with the set-group-id bit gives it its own group. */
export function createIn(state: State, credentials: Credentials, place: Place, fields: NewNode): Place {
  const parent = requireWritableParent(place, credentials);
  if (place.mount.isFull) throw new SystemError('ENOSPC');
  const tree = writableTree(place);
  const inheritsGroup = (parent.mode & 0o2000) !== 0;
  const node: FileNode = {
    user: credentials.user,
    group: inheritsGroup ? parent.group : credentials.group,
    modified: state.now,
    ...fields,
    mode: inheritsGroup && fields.type === 'directory' ? fields.mode | 0o2000 : fields.mode,
  };
  const key = tree.create(place.parent!, place.name, node, state.now);
  return { ...place, key, node };
}

/** Without root's CAP_FSETID, chown and chmod by others than the group drop the set-group-id bit. */
export const modeFor = (node: FileNode, mode: number, credentials: Credentials): number =>
  isMember(credentials, node.group) || credentials.capabilities.includes('FSETID') ? mode : mode & ~0o2000;
