import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { writeWholeFile } from '../../whole-file.js';

/** Bytes of a file that an editor takes. */
export const MAX_FILE = 2 << 20;

/** A file's bytes; undefined: there is none. Throws SystemError: EISDIR, EACCES, EFBIG. */
export function loadFile(sys: Syscalls, path: Bytes): Bytes | undefined {
  if (!sys.access(path, '')) return undefined;
  const { type, size } = sys.stat(path);
  if (type === 'directory') throw new SystemError('EISDIR');
  if (type !== 'file') throw new SystemError('EINVAL');
  if (size > MAX_FILE) throw new SystemError('EFBIG');
  const descriptor = sys.open(path, { read: true });
  let text = '';
  while (text.length <= MAX_FILE) {
    const piece = sys.read(descriptor, 65_536);
    if (piece === undefined || piece === '') break;
    text += piece;
  }
  sys.close(descriptor);
  if (text.length > MAX_FILE) throw new SystemError('EFBIG');
  sys.charge(text.length >> 4);
  return text;
}

/** Throws SystemError: EACCES, EROFS, ENOSPC, EISDIR. */
export function saveFile(sys: Syscalls, path: Bytes, bytes: Bytes): void {
  writeWholeFile(sys, path, bytes, { mode: 0o666 });
  sys.charge(bytes.length >> 4);
}
