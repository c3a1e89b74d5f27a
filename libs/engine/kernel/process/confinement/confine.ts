import type { Bytes } from '../../bytes.js';
import { SystemError } from '../../errno.js';
import { joinPath, normalizePath } from '../../files/path.js';
import type { State } from '../../state.js';
import { matchesGlob } from './glob.js';
import type { Process } from '../process.js';

/** Throws EACCES: the container's profile does not let it read or write this file. Links are not followed. */
export function permitPath(state: State, process: Process, path: Bytes, access: 'r' | 'w'): void {
  const confinement = state.containers.get(process.container)?.confinement;
  if (!confinement || confinement.mode === 'complain') return;
  const full = normalizePath(path.startsWith('/') ? path : joinPath(process.cwd, path));
  const meant = confinement.rules.filter((rule) => rule.access.includes(access) && matchesGlob(rule.path, full));
  if (meant.some(({ denies }) => denies)) throw new SystemError('EACCES');
  if (access === 'w' && !confinement.allowsFiles && meant.length === 0) throw new SystemError('EACCES');
}

/** Throws EACCES: the profile denies sockets. */
export function permitNetwork(state: State, process: Process): void {
  const confinement = state.containers.get(process.container)?.confinement;
  if (confinement?.deniesNetwork && confinement.mode === 'enforce') throw new SystemError('EACCES');
}

/** What the runtime confines a container to that asks for nothing. */
const UNCONFINED = 'unconfined';
const DEFAULT_PROFILE = 'cri-containerd.apparmor.d (enforce)';

/** What /proc/PID/attr/current has. */
export function confinementLine(state: State, process: Process): Bytes {
  const container = state.containers.get(process.container);
  const { confinement, capabilities = [] } = container ?? {};
  if (confinement?.name === UNCONFINED) return `${UNCONFINED}\n`;
  if (confinement) return `${confinement.name} (${confinement.mode})\n`;
  return capabilities.includes('SYS_ADMIN') ? `${UNCONFINED}\n` : `${DEFAULT_PROFILE}\n`;
}
