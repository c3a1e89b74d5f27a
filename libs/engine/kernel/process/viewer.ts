import type { Credentials } from '../files/permissions.js';
import type { Viewer } from '../files/resolve.js';
import type { State } from '../state.js';
import type { Process } from './process.js';
import { mountsOf } from './root.js';

const NONE: readonly string[] = [];

/** What a process may do beside its user's rights; a profile in force lets it use some of that only. */
export function capabilitiesOf(state: State, process: Process): readonly string[] {
  const container = process.user === 0 ? state.containers.get(process.container) : undefined;
  if (container === undefined) return NONE;
  const { capabilities, confinement } = container;
  const allowed = confinement?.mode === 'enforce' ? confinement.capabilities : undefined;
  return allowed === undefined ? capabilities : capabilities.filter((name) => allowed.includes(name));
}

const credentialsOf = (state: State, process: Process): Credentials => ({
  user: process.user,
  group: process.groupId,
  groups: process.groups,
  capabilities: capabilitiesOf(state, process),
});

/** How a process sees files. */
export const viewerOf = (state: State, process: Process): Viewer => ({
  mounts: mountsOf(state, process),
  cwd: process.cwd,
  credentials: credentialsOf(state, process),
});
