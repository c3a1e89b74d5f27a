import type { Credentials } from '../files/permissions.js';
import type { Viewer } from '../files/resolve.js';
import type { State } from '../state.js';
import type { Process } from './process.js';
import { mountsOf } from './root.js';

const NONE: readonly string[] = [];

export const capabilitiesOf = (state: State, process: Process): readonly string[] =>
  process.user === 0 ? (state.containers.get(process.container)?.capabilities ?? NONE) : NONE;

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
