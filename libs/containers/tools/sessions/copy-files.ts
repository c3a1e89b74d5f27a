import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { encodeEntry, endArchive, padding } from '../archive/tar-format.js';
import { newReading, readPiece } from '../archive/tar-reader.js';
import { ToolFailure } from '../framework/failure.js';

const MAX_ARCHIVE = 32 << 20;
const MAX_DEPTH = 64;
const CHUNK = 65_536;

export function pathExists(sys: Syscalls, path: Bytes): boolean {
  try {
    sys.stat(path);
    return true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** An archive of files, or of what is in folders, under other names. Models cp.go recursiveTar. */
export function packFiles(sys: Syscalls, entries: readonly (readonly [path: Bytes, name: Bytes])[]): Bytes {
  const archive = entries.map(([path, name]) => pack(sys, path, name, 0)).join('');
  return archive + endArchive(archive.length);
}

function pack(sys: Syscalls, path: Bytes, name: Bytes, depth: number): Bytes {
  const stat = sys.lstat(path);
  const { mode, user, group, modified } = stat;
  const header = (type: 'file' | 'directory' | 'link', size: number, target = ''): Bytes =>
    encodeEntry({
      ...{ name, type, mode: mode & 0o7777, user, group, userName: '', groupName: '', size, target },
      ...{ modified: Math.floor(modified / 1_000), device: [0, 0] },
    });
  if (stat.type === 'link') return header('link', 0, sys.readLink(path));
  if (stat.type === 'directory') {
    const names = depth > MAX_DEPTH ? [] : sys.readDirectory(path);
    if (names.length === 0) return header('directory', 0);
    return names.map((one) => pack(sys, `${path}/${one}`, `${name}/${one}`, depth + 1)).join('');
  }
  const content = readAll(sys, path);
  return header('file', content.length) + content + '\0'.repeat(padding(content.length));
}

function readAll(sys: Syscalls, path: Bytes): Bytes {
  try {
    const descriptor = sys.open(path, { read: true });
    let content = '';
    for (
      let bytes = sys.read(descriptor, CHUNK);
      bytes !== undefined && bytes !== '';
      bytes = sys.read(descriptor, CHUNK)
    ) {
      content += bytes;
      if (content.length > MAX_ARCHIVE) throw new ToolFailure('more than 32 MiB at once are not simulated');
    }
    sys.close(descriptor);
    return content;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ToolFailure(`open ${path}: ${error.message.toLowerCase()}`);
  }
}

export interface Unpacking {
  warn(line: Bytes): void;
  /** The command that also copies links. */
  readonly hint: string;
}

/** Files of an archive whose names begin with `prefix`, at `target`. Models cp.go untarAll. Throws ToolFailure. */
export function unpackFiles(
  sys: Syscalls,
  archive: Bytes,
  prefix: Bytes,
  target: Bytes,
  { warn, hint }: Unpacking,
): void {
  let descriptor = -1;
  let hasWarned = false;
  const isFolder = pathExists(sys, target) && sys.stat(target).type === 'directory';
  readPiece(newReading(), archive, {
    begin(entry) {
      if (!entry.name.startsWith(prefix)) throw new ToolFailure('tar contents corrupted');
      const inner = entry.name
        .slice(prefix.length)
        .split('/')
        .filter((part) => part !== '')
        .join('/');
      const path = inner === '' ? target : `${target}/${inner}`;
      if (inner.split('/').includes('..'))
        return warn(`warning: file ${JSON.stringify(path)} is outside target destination, skipping`);
      makeFolders(sys, entry.type === 'directory' ? path : path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      if (entry.type === 'directory') return;
      if (entry.type === 'link') {
        const more = hasWarned ? '' : ` (consider using ${JSON.stringify(hint)})`;
        hasWarned = true;
        return warn(`warning: skipping symlink: ${JSON.stringify(path)} -> ${JSON.stringify(entry.target)}${more}`);
      }
      if (inner === '' && isFolder) throw new ToolFailure(`open ${target}: is a directory`);
      try {
        descriptor = sys.open(path, { write: true, create: true, truncate: true }, 0o666);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        throw new ToolFailure(`open ${path}: ${error.message.toLowerCase()}`);
      }
    },
    content(bytes) {
      if (descriptor < 0) return;
      for (let rest = bytes; rest !== '';) {
        const count = sys.write(descriptor, rest);
        if (count === 0) throw new ToolFailure('write: no space left on device');
        rest = rest.slice(count);
      }
    },
    finish() {
      if (descriptor >= 0) sys.close(descriptor);
      descriptor = -1;
    },
    garbage: () => undefined,
  });
}

function makeFolders(sys: Syscalls, path: Bytes): void {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const folder = parts.slice(0, count).join('/');
    if (folder !== '' && !pathExists(sys, folder)) sys.makeDirectory(folder, 0o755);
  }
}
