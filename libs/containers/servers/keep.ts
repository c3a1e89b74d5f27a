import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError } from '../../engine/kernel/errno.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import { writeWholeFile } from '../tools/whole-file.js';

/** A server's data as one file: a text of our own in the place of what the real one writes. */
const MAX_FILE = 32 << 20;
const CHUNK = 65_536;

/** Writes plain data beside the file, then renames it. Throws SystemError when that cannot be done. */
export function keepData(sys: Syscalls, path: Bytes, value: unknown): void {
  const temporary = `${path}.tmp`;
  const text = JSON.stringify(value);
  sys.charge(text.length >> 6);
  writeWholeFile(sys, temporary, text);
  sys.rename(temporary, path);
}

/** What keepData has written; undefined: there is none, null: it is damaged or cannot be read. */
export function readKept(sys: Syscalls, path: Bytes): unknown {
  let text = '';
  try {
    const descriptor = sys.open(path, { read: true });
    for (let part = sys.read(descriptor, CHUNK); part && text.length < MAX_FILE; part = sys.read(descriptor, CHUNK))
      text += part;
    sys.close(descriptor);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ENOENT') return undefined;
    if (error instanceof SystemError) return null;
    throw error;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Makes a directory and those above it. Throws SystemError. */
export function makeDirectories(sys: Syscalls, path: Bytes): void {
  for (let at = path.indexOf('/', 1); ; at = path.indexOf('/', at + 1)) {
    const one = at < 0 ? path : path.slice(0, at);
    if (!sys.access(one, '')) sys.makeDirectory(one);
    if (at < 0) return;
  }
}
