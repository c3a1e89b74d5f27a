import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { PAGE_BYTES } from './sqlite.js';
import { writeWholeFile } from '../../../tools/whole-file.js';

/**
 * A database is written as small files, so that a change of a row changes little: each has some pages, and is named by
 * its number.
 */
const SEGMENT_BYTES = 4 * PAGE_BYTES;
const MAX_SEGMENTS = 1_024;

const nameOf = (directory: string, prefix: string, index: number): string =>
  `${directory}/${prefix}${String(index).padStart(4, '0')}`;

/** The content of a directory's database; '' when there is none yet. Throws SystemError. */
export function readSegments(sys: Syscalls, directory: string, prefix: string): string {
  let content = '';
  for (let i = 1; i <= MAX_SEGMENTS; i++) {
    const part = readSegment(sys, nameOf(directory, prefix, i));
    if (part === undefined) break;
    content += part;
    if (part.length < SEGMENT_BYTES) break;
  }
  return content;
}

function readSegment(sys: Syscalls, path: string): string | undefined {
  try {
    const descriptor = sys.open(path, { read: true });
    const bytes = sys.read(descriptor, SEGMENT_BYTES) ?? '';
    sys.close(descriptor);
    return bytes;
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the segments that differ. Throws SystemError: ENOSPC when the disk is full. */
export function writeSegments(sys: Syscalls, directory: string, prefix: string, before: string, after: string): void {
  const last = Math.max(before.length, after.length);
  for (let at = 0; at < last; at += SEGMENT_BYTES) {
    const part = after.slice(at, at + SEGMENT_BYTES);
    const path = nameOf(directory, prefix, at / SEGMENT_BYTES + 1);
    if (part === '') sys.unlink(path);
    else if (part !== before.slice(at, at + SEGMENT_BYTES)) writeWholeFile(sys, path, part, { mode: 0o600 });
  }
}
