import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { copyDescriptor } from '../../tools/coreutils/files/content.js';

export const exists = (sys: Syscalls, path: Bytes): boolean => sys.access(path, '');

/** By another name first, so that nobody sees half of it. */
export function copyFile(sys: Syscalls, from: Bytes, to: Bytes): void {
  const temporary = `${to}.temp`;
  const source = sys.open(from, { read: true });
  const flags = { write: true, create: true, truncate: true };
  const target = sys.open(temporary, flags, sys.stat(from).mode & 0o777);
  copyDescriptor(sys, source, target);
  sys.close(target);
  sys.close(source);
  sys.rename(temporary, to);
}

/** With the folders above it. */
export function makeDirectories(sys: Syscalls, path: Bytes): void {
  const parts = path.split('/').filter((part) => part !== '');
  for (let i = 1; i <= parts.length; i++) {
    const folder = `/${parts.slice(0, i).join('/')}`;
    if (!exists(sys, folder)) sys.makeDirectory(folder, 0o755);
  }
}
