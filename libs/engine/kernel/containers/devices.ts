import { ComputedTree, type Entry } from '../files/computed.js';
import type { FileNode, ImageFiles } from '../files/file.js';
import type { State } from '../state.js';

const device = (major: number, minor: number, mode = 0o666): FileNode => ({
  type: 'char',
  mode,
  user: 0,
  group: 0,
  modified: 0,
  device: [major, minor],
});

const link = (target: string): FileNode => ({ type: 'link', mode: 0o777, user: 0, group: 0, modified: 0, target });
const directory: FileNode = { type: 'directory', mode: 0o755, user: 0, group: 0, modified: 0 };

/** /dev of a container, as the OCI runtime makes it. */
export const DEVICE_FILES: ImageFiles = {
  '/null': device(1, 3),
  '/zero': device(1, 5),
  '/full': device(1, 7),
  '/random': device(1, 8),
  '/urandom': device(1, 9),
  '/tty': device(5, 0),
  '/ptmx': link('pts/ptmx'),
  '/fd': link('/proc/self/fd'),
  '/stdin': link('/proc/self/fd/0'),
  '/stdout': link('/proc/self/fd/1'),
  '/stderr': link('/proc/self/fd/2'),
  '/core': link('/proc/kcore'),
  '/pts': directory,
  '/shm': directory,
  '/mqueue': directory,
};

/** With a terminal of the container's own. */
export const DEVICE_FILES_WITH_CONSOLE: ImageFiles = { ...DEVICE_FILES, '/console': device(5, 1, 0o620) };

const TTY_GROUP = 5;

/** /dev/pts: the terminals of a container. */
export function makePtsTree(state: State, container: string): ComputedTree {
  const numbers = (): string[] =>
    [...state.terminals.values()].filter((one) => one.container === container).map((one) => String(one.number));
  const entry = (path: string): Entry | undefined => {
    if (path === '/') return { type: 'directory', names: [...numbers(), 'ptmx'], mode: 0o755 };
    if (path === '/ptmx') return { type: 'char', device: [5, 2], mode: 0o666 };
    const number = path.slice(1);
    if (!numbers().includes(number)) return undefined;
    return { type: 'char', device: [136, Number(number)], mode: 0o620, owner: { user: 0, group: TTY_GROUP } };
  };
  return new ComputedTree(`pts:${container}`, state.bootedAt, entry);
}
