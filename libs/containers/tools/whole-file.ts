import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError } from '../../engine/kernel/errno.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';

/** Writes a whole file anew, or goes on at its end. Throws SystemError: ENOSPC when only a part has found room. */
export function writeWholeFile(
  sys: Syscalls,
  path: Bytes,
  bytes: Bytes,
  { mode = 0o644, appends = false }: { readonly mode?: number; readonly appends?: boolean } = {},
): void {
  const flags = { write: true, create: true, ...(appends ? { append: true } : { truncate: true }) };
  const descriptor = sys.open(path, flags, mode);
  try {
    for (let rest = bytes; rest !== '';) {
      const count = sys.write(descriptor, rest);
      if (count === 0) throw new SystemError('ENOSPC');
      rest = rest.slice(count);
    }
  } finally {
    sys.close(descriptor);
  }
}
