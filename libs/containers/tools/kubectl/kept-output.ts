import { type Bytes, textOf } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { waitForChild, type Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';

/** Bytes of a child's output that are kept. */
const MAX_OUTPUT = 65_536;
const fileOf = (sys: Syscalls, name: string): string => `/tmp/.child-${sys.pid}-${name}`;

/** Starts a child in a process group of its own, whose output goes into files. Throws SystemError. */
export function spawnKept(sys: Syscalls, path: Bytes, argv: readonly Bytes[]): number {
  const open = (name: string): number =>
    sys.open(fileOf(sys, name), { write: true, create: true, truncate: true }, 0o600);
  const [out, err] = [open('out'), open('err')];
  try {
    return sys.spawn({ path, argv, descriptors: { 0: 0, 1: out, 2: err }, group: 0 });
  } finally {
    sys.close(out);
    sys.close(err);
  }
}

/** Waits for a child, which is killed when its time is over. */
export function awaitChild(
  sys: Syscalls,
  { pid, until }: { readonly pid: number; readonly until: number | null },
): Wait {
  if (until === null) return waitForChild;
  if (sys.now < until) return { type: 'wait', child: true, until };
  try {
    sys.kill(-pid, 'KILL');
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  return waitForChild;
}

/** What the child has printed, from its beginning on; the files are gone then. */
export const takeOutput = (sys: Syscalls): { readonly output: string; readonly errors: string } => ({
  output: take(sys, fileOf(sys, 'out')),
  errors: take(sys, fileOf(sys, 'err')),
});

function take(sys: Syscalls, path: string): string {
  try {
    const descriptor = sys.open(path, { read: true });
    let text = '';
    for (let chunk = sys.read(descriptor, MAX_OUTPUT); chunk; chunk = sys.read(descriptor, MAX_OUTPUT - text.length)) {
      text += chunk;
      if (text.length >= MAX_OUTPUT) break;
    }
    sys.close(descriptor);
    sys.unlink(path);
    return textOf(text);
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}
