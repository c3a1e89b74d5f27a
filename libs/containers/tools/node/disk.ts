import { SystemError } from '../../../engine/kernel/errno.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Disk } from '../../../engine/node/host/files/disk.js';
import { readSmallFile } from '../accounts.js';
import { writeWholeFile } from '../whole-file.js';

/** The node's disk as a process of the node sees it. */
export const diskOf = (sys: Syscalls): Disk => ({
  has: (path) => typeAt(sys, path) === 'file',
  read: (path) => (typeAt(sys, path) === 'file' ? readSmallFile(sys, path) : undefined),
  list: (path) => (typeAt(sys, path) === 'directory' ? sys.readDirectory(path) : []),
});

function typeAt(sys: Syscalls, path: string): string | undefined {
  try {
    return sys.stat(path).type;
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/** Writes a file anew, and its folder when that is missing. Throws SystemError. */
export function writeFile(sys: Syscalls, path: string, content: Bytes, mode = 0o644): void {
  const folder = path.slice(0, path.lastIndexOf('/'));
  if (folder !== '' && typeAt(sys, folder) === undefined) sys.makeDirectory(folder, 0o755);
  writeWholeFile(sys, path, content, { mode });
}
