import { type Bytes, errorCodeOf, type Syscalls } from '../kernel.js';
import type { Shell } from './shell.js';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The file of a command: by its path, else the first in PATH that may be executed, else the first that exists. */
export function findCommand(shell: Shell, name: Bytes, path?: Bytes): Bytes | undefined {
  if (name.includes('/')) return name;
  const known = shell.state.hashes[name];
  if (known && path === undefined && Object.hasOwn(shell.state.hashes, name)) {
    known.hits++;
    return known.path;
  }
  const list = path ?? shell.get('PATH') ?? (shell.isBash ? undefined : DEFAULT_PATH);
  if (list === undefined) return `./${name}`;
  const found = searchPath(shell.sys, name, list);
  if (found !== undefined && path === undefined) shell.state.hashes[name] = { path: found, hits: 1 };
  return found;
}

export function searchPath(sys: Syscalls, name: Bytes, path: Bytes): Bytes | undefined {
  let fallback: Bytes | undefined;
  for (const directory of path.split(':')) {
    const file = directory === '' ? name : directory.endsWith('/') ? directory + name : `${directory}/${name}`;
    sys.charge(1);
    if (!isFile(sys, file)) continue;
    if (sys.access(file, 'x')) return file;
    fallback ??= file;
  }
  return fallback;
}

export function isFile(sys: Syscalls, path: Bytes): boolean {
  try {
    return sys.stat(path).type === 'file';
  } catch (error) {
    errorCodeOf(error);
    return false;
  }
}

/** All executable files of a name in PATH: `type -a`. */
export function findAll(shell: Shell, name: Bytes): Bytes[] {
  return (shell.get('PATH') ?? DEFAULT_PATH)
    .split(':')
    .map((directory) => (directory === '' ? name : `${directory}/${name}`))
    .filter((file) => isFile(shell.sys, file) && shell.sys.access(file, 'x'));
}
