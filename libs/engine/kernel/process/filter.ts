import { SystemError } from '../errno.js';
import type { State } from '../state.js';
import type { Process } from './process.js';

/** Calls that a filter may deny, and what Linux has for each of them. */
export const FILTERED_CALLS = {
  mkdir: ['mkdir', 'mkdirat'],
  rmdir: ['rmdir'],
  unlink: ['unlink', 'unlinkat'],
  rename: ['rename', 'renameat', 'renameat2'],
  link: ['link', 'linkat'],
  symlink: ['symlink', 'symlinkat'],
  mknod: ['mknod', 'mknodat'],
  chmod: ['chmod', 'fchmod', 'fchmodat'],
  chown: ['chown', 'fchown', 'lchown', 'fchownat'],
  utime: ['utimensat', 'utime', 'utimes'],
  chroot: ['chroot'],
  kill: ['kill'],
  socket: ['socket'],
} as const;
export type FilteredCall = keyof typeof FILTERED_CALLS;

/** Throws EPERM for a call that the container's seccomp profile denies. */
export function permitCall(state: State, process: Process, call: FilteredCall): void {
  if (state.containers.get(process.container)?.filter?.includes(call)) throw new SystemError('EPERM');
}
