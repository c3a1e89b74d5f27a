import type { Bytes } from '../bytes.js';
import { meetTrouble } from '../containers/trouble.js';
import type { Description, NewDescription } from '../descriptors/description.js';
import { DEVICES } from '../descriptors/device.js';
import { fifoPipe, makePipe } from '../descriptors/pipe.js';
import { closeDescriptor, install, openDescription, release } from '../descriptors/table.js';
import { NO_ENTRY, SystemError } from '../errno.js';
import { isComputed } from '../files/computed-file-system.js';
import { READ, requirePermission, WRITE } from '../files/permissions.js';
import { resolvePath, type Place } from '../files/resolve.js';
import type { Process } from '../process/process.js';
import type { OpenFlags } from '../process/syscalls.js';
import { viewerOf } from '../process/viewer.js';
import type { State } from '../state.js';
import { openTerminalOf } from './terminals.js';
import { createIn, writableTree } from './tree.js';

interface Access {
  readonly read: boolean;
  readonly write: boolean;
}

/** open(2). Throws what path resolution throws, and EEXIST, EISDIR, ENOTDIR, EROFS, EACCES, ENXIO, EMFILE. */
export function open(state: State, process: Process, path: Bytes, flags: OpenFlags, mode: number): number {
  const viewer = viewerOf(state, process);
  const write = flags.write === true || flags.append === true;
  const access: Access = { read: flags.read === true || !write, write };
  let place = resolvePath(viewer, path, !(flags.create && flags.exclusive));
  if (place.description !== undefined) return install(state, process, reopen(state, place.description, access));
  const isNew = place.node === undefined;
  meetTrouble(state, process, place.path, 'names');
  if (isNew) {
    if (!flags.create) throw NO_ENTRY;
    if (place.needsDirectory) throw new SystemError('EISDIR');
    place = createIn(state, viewer.credentials, place, { type: 'file', mode: mode & ~process.umask, content: '' });
  } else if (flags.create && flags.exclusive) throw new SystemError('EEXIST');
  requireUsable(place, flags, access);
  const asked = (access.read ? READ : 0) | (access.write ? WRITE : 0);
  if (!isNew) requirePermission(place.node!, viewer.credentials, asked);
  if (flags.truncate && access.write && place.node!.type === 'file') truncateOpened(state, place);
  return install(state, process, openDescription(state, describe(state, process, place, flags, access)));
}

function requireUsable(place: Place, flags: OpenFlags, access: Access): void {
  const { type } = place.node!;
  if (type === 'directory' && access.write) throw new SystemError('EISDIR');
  if (type !== 'directory' && flags.directory) throw new SystemError('ENOTDIR');
  if (type === 'link') throw new SystemError('ELOOP');
  if (type === 'socket') throw new SystemError('ENXIO');
  if (type === 'file' && access.write && isOnReadOnly(place)) throw new SystemError('EROFS');
}

/** Whether nothing can be written where a file stands. */
export const isOnReadOnly = ({ mount: { files, readOnly }, key }: Place): boolean =>
  readOnly || (isComputed(files) && files.isReadOnly(key));

function truncateOpened(state: State, place: Place): void {
  if (isComputed(place.mount.files)) return;
  writableTree(place).truncate(place.key, 0, state.now);
  state.isMemoryChanged = true;
}

function describe(state: State, process: Process, place: Place, flags: OpenFlags, access: Access): NewDescription {
  const { files } = place.mount;
  const { type, device } = place.node!;
  const at = { ...access, tree: files.id, key: place.key, path: place.path };
  if (type === 'directory') return { type, ...at, append: false, offset: 0 };
  if (type === 'fifo') {
    return { type: 'pipe', ...access, pipe: fifoPipe(state, `${files.id}:${place.key}`).id };
  }
  if (type === 'char' || type === 'block') {
    const known = DEVICES[String(device)];
    if (known !== undefined && type === 'char') return { type: 'device', ...access, device: known, offset: 0 };
    return { type: 'terminal', ...access, terminal: openTerminalOf(state, process, place, device) };
  }
  if (isComputed(files)) return { type: 'computed', ...at, content: files.content(place.key), offset: 0 };
  return { type: 'file', ...at, append: flags.append === true, offset: 0 };
}

/** /dev/stdin, /proc/self/fd/3: the pipe, terminal or device anew; a file has its own offset. */
function reopen(state: State, id: number, access: Access): Description {
  const open = state.descriptions.get(id);
  if (open === undefined) throw new SystemError('ENOENT');
  if (open.type === 'socket') throw new SystemError('ENXIO');
  const fields: NewDescription = { ...open, ...access, ...('offset' in open ? { offset: 0 } : {}) };
  return openDescription(state, fields);
}

/** pipe(2). Throws EMFILE and ENFILE; then nothing is left of it. */
export function openPipe(state: State, process: Process): { readonly reader: number; readonly writer: number } {
  const pipe = makePipe(state).id;
  const reading = openDescription(state, { type: 'pipe', read: true, write: false, pipe });
  const writing = openDescription(state, { type: 'pipe', read: false, write: true, pipe });
  let reader: number | undefined;
  try {
    reader = install(state, process, reading);
    return { reader, writer: install(state, process, writing) };
  } catch (error) {
    if (reader === undefined) release(state, writing);
    else closeDescriptor(state, process, reader);
    throw error;
  }
}
