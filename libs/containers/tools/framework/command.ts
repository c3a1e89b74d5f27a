import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type ErrorCode, SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The file that a command's name means, by PATH, as execvp(3) finds it. Throws ENOENT, EACCES. */
export function findCommand(sys: Syscalls, name: Bytes, path = sys.env['PATH'] ?? DEFAULT_PATH): Bytes {
  if (name === '') throw new SystemError('ENOENT');
  if (name.includes('/')) {
    const { type } = sys.stat(name);
    if (type === 'directory' || !sys.access(name, 'x')) throw new SystemError('EACCES');
    return name;
  }
  let failure: ErrorCode = 'ENOENT';
  for (const directory of path.split(':')) {
    const file = directory === '' ? `./${name}` : `${directory}/${name}`;
    if (!sys.access(file, '')) continue;
    if (sys.access(file, 'x') && sys.stat(file).type === 'file') return file;
    failure = 'EACCES';
  }
  throw new SystemError(failure);
}

/** 127: not found, 126: cannot be run; as env, nice, timeout and xargs exit. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof SystemError && error.code === 'ENOENT' ? 127 : 126;
