import type { Bytes } from '../bytes.js';
import type { Container } from '../container-state.js';
import type { FileSystem } from '../files/file-system.js';
import { mountAt, type MountPoint, type MountTable } from '../files/mounts.js';
import { FileTree } from '../files/tree.js';
import { makeProcTree } from '../proc/proc.js';
import { makeCgroupTree } from '../proc/cgroup.js';
import { makeSysTree } from '../proc/sys.js';
import type { State } from '../state.js';
import { showTrouble } from './trouble.js';
import { DEVICE_FILES, DEVICE_FILES_WITH_CONSOLE, makePtsTree } from './devices.js';

const CGROUPS = '/sys/fs/cgroup';
const SHM_BYTES = 64 * 1024 * 1024;
const DEV_BYTES = 64 * 1024 * 1024;

const PROC_OPTIONS = ['rw', 'nosuid', 'nodev', 'noexec', 'relatime'];
const SYS_OPTIONS = ['ro', 'nosuid', 'nodev', 'noexec', 'relatime'];
const DEV_OPTIONS = ['rw', 'nosuid', 'size=65536k', 'mode=755'];
const PTS_OPTIONS = ['rw', 'nosuid', 'noexec', 'relatime', 'gid=5', 'mode=620', 'ptmxmode=666'];
const SHM_OPTIONS = ['rw', 'nosuid', 'nodev', 'noexec', 'relatime', 'size=65536k'];

/** The ids of the kernel's own trees of a container: a machine that is written down keeps their rows. */
export const ownTreeIds = (container: string): string[] => [
  `dev:${container}`,
  `etc:${container}`,
  `log:${container}`,
  'shm',
];

/** Makes the mount table of a container from its record and the trees, which are known by their ids. */
export function mountAll(state: State, container: Container): void {
  const { id } = container;
  const isPrivileged = container.capabilities.includes('SYS_ADMIN');
  const table: MountTable = new Map();
  state.mounts.set(id, table);
  const add = (path: Bytes, files: FileSystem, type: string, options: string[], source = type): void => {
    state.trees.set(files.id, files);
    mountAt(table, { path, files, root: files.root, readOnly: options[0] === 'ro', source, type, options });
  };
  const rootOptions = [container.readOnlyRoot ? 'ro' : 'rw', 'relatime'];
  if (!state.trees.has(container.log.tree)) state.trees.set(container.log.tree, new FileTree(container.log.tree));
  const root = state.trees.get(container.root)!;
  table.set('/', rootMount(root, rootOptions));
  const addSystem = (root: Bytes): void => {
    add(`${root}/proc`, makeProcTree(state, id, root), 'proc', PROC_OPTIONS);
    add(`${root}/dev`, ownTree(state, `dev:${id}`, container.hasTerminal), 'tmpfs', DEV_OPTIONS);
    add(`${root}/dev/pts`, makePtsTree(state, id), 'devpts', PTS_OPTIONS);
    add(`${root}/sys`, makeSysTree(state), 'sysfs', isPrivileged ? ['rw', ...SYS_OPTIONS.slice(1)] : SYS_OPTIONS);
    if (root === '') add(CGROUPS, makeCgroupTree(state, id), 'cgroup2', SYS_OPTIONS, 'cgroup');
    else addHostCgroups(root);
    add(`${root}/dev/shm`, ownTree(state, 'shm', false), 'tmpfs', SHM_OPTIONS, 'shm');
  };
  const addHostCgroups = (root: Bytes): void => {
    const disk = container.host && state.trees.get(container.host.tree);
    if (!disk) return add(`${root}${CGROUPS}`, makeCgroupTree(state, id), 'cgroup2', SYS_OPTIONS, 'cgroup');
    const common = { readOnly: true, source: 'cgroup', type: 'cgroup2', options: SYS_OPTIONS };
    mountAt(table, { path: `${root}${CGROUPS}`, files: disk, root: subRoot(disk, CGROUPS), ...common });
  };
  addSystem('');
  mountFiles(state, table, container);
  for (const mount of container.mounts) {
    const files = state.trees.get(mount.tree)!;
    const options = [mount.readOnly ? 'ro' : 'rw', ...mount.options];
    mountAt(table, { ...mount, options, files, root: subRoot(files, mount.subPath) });
  }
  for (const root of container.systemRoots ?? []) addSystem(root);
  showTrouble(table, container);
}

const rootMount = (files: FileSystem, options: string[]): MountPoint => ({
  path: '/',
  files,
  root: files.root,
  readOnly: options[0] === 'ro',
  source: 'overlay',
  type: 'overlay',
  options,
});

function ownTree(state: State, id: string, hasConsole: boolean): FileSystem {
  const known = state.trees.get(id);
  if (known !== undefined) return known;
  if (id === 'shm') return new FileTree(id, { '/': { type: 'directory', mode: 0o1777, ...OWNER } }, [], SHM_BYTES);
  return new FileTree(id, hasConsole ? DEVICE_FILES_WITH_CONSOLE : DEVICE_FILES, [], DEV_BYTES);
}

const OWNER = { user: 0, group: 0, modified: 0 };

/** /etc/hosts, /etc/hostname, /etc/resolv.conf: each is a mount of one file. */
function mountFiles(state: State, table: MountTable, container: Container): void {
  const paths = Object.keys(container.files);
  if (paths.length === 0) return;
  const id = `etc:${container.id}`;
  const files = state.trees.get(id) ?? new FileTree(id, container.files);
  state.trees.set(id, files);
  const options = [container.readOnlyRoot ? 'ro' : 'rw', 'relatime'];
  for (const path of paths) {
    const common = { readOnly: container.readOnlyRoot, source: '/dev/vda1', type: 'ext4', options };
    mountAt(table, { path, files, root: path, ...common });
  }
}

/** The folder or file of a volume that is mounted; the kubelet makes a folder that is missing. */
function subRoot(files: FileSystem, subPath: Bytes = ''): string {
  let key = files.root;
  for (const name of subPath.split('/').filter((part) => part !== '' && part !== '.')) {
    const found = files.find(key, name);
    if (found !== undefined) key = found;
    else if (files instanceof FileTree) {
      key = files.create(key, name, { type: 'directory', mode: 0o755, ...OWNER }, files.node(key)?.modified ?? 0);
    }
  }
  return key;
}
