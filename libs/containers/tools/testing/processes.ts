import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import type { ChildStatus } from '../../../engine/kernel/process/syscalls.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Open } from './open-files.js';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  argv: readonly Bytes[];
  env: Record<string, Bytes>;
  cwd: Bytes;
  program: Program;
  state: Plain;
  descriptors: Map<number, Open>;
  ended?: ChildStatus;
  until?: number;
}

export function closeIn(process: Process, descriptor: number): void {
  const open = process.descriptors.get(descriptor);
  if (open === undefined) throw new SystemError('EBADF');
  process.descriptors.delete(descriptor);
  if (--open.uses > 0) return;
  if (open.kind === 'writer') open.pipe.writers--;
  if (open.kind === 'reader') open.pipe.readers--;
}
