import type { Bytes } from '../bytes.js';
import { ComputedTree, type Entry } from '../files/computed.js';
import { baseName, parentPath } from '../files/path.js';
import type { NetworkInterface } from '../process/syscalls.js';
import type { State } from '../state.js';
import { securityEntry } from './security.js';
import { cpuList } from './system.js';

const INTERFACE_FILES: Readonly<Record<string, (one: NetworkInterface) => Bytes>> = {
  address: (one) => one.mac,
  ifindex: (one) => String(one.index),
  mtu: (one) => String(one.mtu),
  operstate: (one) => (one.name === 'lo' ? 'unknown' : one.isUp ? 'up' : 'down'),
};

const FIXED: Readonly<Record<string, Bytes>> = {
  '/kernel/mm/transparent_hugepage/enabled': 'always [madvise] never',
  '/module/apparmor/parameters/enabled': 'Y',
  '/class/dmi/id/product_name': 'Standard PC (Q35 + ICH9, 2009)',
  '/class/dmi/id/sys_vendor': 'QEMU',
};

const SECURITY = '/kernel/security';

const CPU_FILES = ['online', 'possible', 'present'].map((name) => `/devices/system/cpu/${name}`);

/** The names in each directory that the paths above imply. */
const DIRECTORIES = namesOf(['/fs/cgroup/.', '/class/net/.', ...CPU_FILES, ...Object.keys(FIXED)]);

function namesOf(paths: readonly Bytes[]): Readonly<Record<string, readonly Bytes[]>> {
  const names: Record<string, Bytes[]> = {};
  for (const path of paths) {
    for (let child = path; child !== '/'; child = parentPath(child)) {
      const siblings = (names[parentPath(child)] ??= []);
      if (baseName(child) !== '.' && !siblings.includes(baseName(child))) siblings.push(baseName(child));
    }
  }
  return names;
}

/** /sys as far as tools look: CPUs, interfaces, the machine's names. */
export function makeSysTree(state: State): ComputedTree {
  const known = state.trees.get('sys');
  if (known instanceof ComputedTree) return known;
  return new ComputedTree('sys', state.bootedAt, (path) => entryAt(state, path));
}

function entryAt(state: State, path: Bytes): Entry | undefined {
  const fixed = FIXED[path];
  if (fixed !== undefined) return { type: 'file', content: () => `${fixed}\n` };
  if (CPU_FILES.includes(path)) return { type: 'file', content: () => `${cpuList(state)}\n` };
  if (path === '/class/net') return { type: 'directory', names: state.network.interfaces().map((one) => one.name) };
  if (path.startsWith('/class/net/')) return interfaceEntry(state, path.slice('/class/net/'.length));
  if (path.startsWith(SECURITY)) return securityEntry(state, path.slice(SECURITY.length));
  const names = DIRECTORIES[path];
  if (path === '/kernel' && securityEntry(state, '')) return { type: 'directory', names: [...names!, 'security'] };
  return names === undefined ? undefined : { type: 'directory', names };
}

function interfaceEntry(state: State, path: Bytes): Entry | undefined {
  const [name, file] = path.split('/');
  const found = state.network.interfaces().find((one) => one.name === name);
  if (found === undefined) return undefined;
  if (file === undefined) return { type: 'directory', names: Object.keys(INTERFACE_FILES) };
  const content = INTERFACE_FILES[file];
  return content === undefined ? undefined : { type: 'file', content: () => `${content(found)}\n` };
}
