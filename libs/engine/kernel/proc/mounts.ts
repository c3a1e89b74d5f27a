import type { Bytes } from '../bytes.js';
import type { Process } from '../process/process.js';
import type { MountPoint } from '../files/mounts.js';
import { HOST_ROOT } from '../host/host.js';
import { mountsOf } from '../process/root.js';
import type { State } from '../state.js';

/** What a process sees mounted: the host's disk, which another process has as its root, is no mount of its own. */
export const listMounts = (state: State, process: Pick<Process, 'container' | 'root'>): MountPoint[] =>
  [...mountsOf(state, process).values()].filter(({ path }) => path !== HOST_ROOT && !path.startsWith(`${HOST_ROOT}/`));

/** /proc/mounts: spaces and tabs in paths as octal numbers. */
export function mountLines(state: State, process: Pick<Process, 'container' | 'root'>): Bytes {
  const escape = (text: string): string => text.replace(/[ \t\n\\]/g, (c) => `\\0${c.charCodeAt(0).toString(8)}`);
  return listMounts(state, process)
    .map(({ source, path, type, options }) => `${escape(source)} ${escape(path)} ${type} ${options.join(',')} 0 0\n`)
    .join('');
}
