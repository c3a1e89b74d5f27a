import type { Bytes } from '../bytes.js';
import type { Entry } from '../files/computed.js';
import { FileTree } from '../files/tree.js';
import type { State } from '../state.js';

/** Where a host's parser leaves what it has loaded: each profile as its text. */
export const LOADED_FOLDER = '/var/lib/apparmor/cache';
/** Only a host's disk has it, so that a container of its own has no securityfs. */
const MOUNT_POINT = '/sys/kernel/security';
/** What the container runtime loads itself. */
export const RUNTIME_PROFILE = 'cri-containerd.apparmor.d';
const MAX_TEXT = 4_096;

/** /sys/kernel/security as far as AppArmor goes, on a host. Models security/apparmor/apparmorfs.c. */
export function securityEntry(state: State, path: Bytes): Entry | undefined {
  const disk = [...state.trees.values()].find(
    (tree): tree is FileTree => tree instanceof FileTree && tree.node(MOUNT_POINT) !== undefined,
  );
  if (disk === undefined) return undefined;
  if (path === '') return { type: 'directory', names: ['apparmor', 'lsm'] };
  if (path === '/lsm') return { type: 'file', content: () => 'lockdown,capability,landlock,yama,apparmor' };
  if (path === '/apparmor') return { type: 'directory', names: ['profiles'] };
  return path === '/apparmor/profiles' ? { type: 'file', content: () => profilesOf(disk) } : undefined;
}

function profilesOf(disk: FileTree): Bytes {
  const folder = keyAt(disk, LOADED_FOLDER);
  const names = folder === undefined ? [] : disk.names(folder);
  const lines = names.map((name) => {
    const text = disk.read(disk.find(folder!, name) ?? '', 0, MAX_TEXT);
    const [, own = name, flags = ''] = /^\s*(?:profile\s+)?"?([^\s"{]+)"?(.*)/.exec(text) ?? [];
    return `${own} (${/\bcomplain\b/.test(flags) ? 'complain' : 'enforce'})\n`;
  });
  return [...lines.reverse(), `${RUNTIME_PROFILE} (enforce)\n`].join('');
}

/** What a tree calls the file of a path. Links are not followed. */
const keyAt = (disk: FileTree, path: Bytes): string | undefined =>
  path
    .split('/')
    .slice(1)
    .reduce<string | undefined>((key, name) => (key === undefined ? key : disk.find(key, name)), disk.root);
