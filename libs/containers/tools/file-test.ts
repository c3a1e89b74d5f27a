import type { Bytes } from '../../engine/kernel/bytes.js';
import { errorCodeOf } from '../../engine/kernel/errno.js';
import type { FileStat } from '../../engine/kernel/files/file.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';

const TYPES: Readonly<Record<string, FileStat['type']>> = {
  ...{ b: 'block', c: 'char', d: 'directory', f: 'file', h: 'link', L: 'link', p: 'fifo', S: 'socket' },
};
const BITS: Readonly<Record<string, number>> = { g: 0o2000, k: 0o1000, u: 0o4000 };
const STREAMS: readonly Bytes[] = ['/dev/stdin', '/dev/stdout', '/dev/stderr'];

/** What test(1) and the shells' `test` and `[[` say of a file. `letter`: one of `bcdefghkLNOGprsSuwx`. */
export function examineFile(sys: Syscalls, letter: string, path: Bytes): boolean {
  const isLink = letter === 'h' || letter === 'L';
  const stat = statOf(sys, path, isLink);
  if (stat === undefined) return false;
  if ('rwx'.includes(letter)) return sys.access(path, letter);
  const type = TYPES[letter];
  if (type !== undefined) return stat.type === type;
  const bit = BITS[letter];
  if (bit !== undefined) return (stat.mode & bit) !== 0;
  switch (letter) {
    case 's':
      return stat.size > 0;
    case 'O':
      return stat.user === sys.user;
    case 'G':
      return stat.group === sys.group;
    case 'N':
      return stat.modified > stat.accessed;
    default:
      return true;
  }
}

/** `a -nt b`, `a -ot b`, `a -ef b`: a file that is not there is older than any. */
export function compareFiles(sys: Syscalls, operator: '-nt' | '-ot' | '-ef', left: Bytes, right: Bytes): boolean {
  const [a, b] = [statOf(sys, left), statOf(sys, right)];
  if (operator === '-ef')
    return a !== undefined && b !== undefined && a.inode === b.inode && a.fileSystem === b.fileSystem;
  const [newer, older] = operator === '-nt' ? [a, b] : [b, a];
  return newer !== undefined && (older === undefined || newer.modified > older.modified);
}

function statOf(sys: Syscalls, path: Bytes, isLink = false): FileStat | undefined {
  try {
    const stream = STREAMS.indexOf(path);
    if (stream >= 0 && !isLink) return sys.fstat(stream);
    return isLink ? sys.lstat(path) : sys.stat(path);
  } catch (error) {
    errorCodeOf(error);
    return undefined;
  }
}
