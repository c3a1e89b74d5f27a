import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { newCpuAccount } from '../cgroup/cpu.js';
import { StartFailure, type ContainerSpec } from '../container.js';
import type { Container } from '../container-state.js';
import { makePipe } from '../descriptors/pipe.js';
import { openDescription } from '../descriptors/table.js';
import { SystemError } from '../errno.js';
import { makePoint } from '../files/mounts.js';
import type { Process } from '../process/process.js';
import { makeProcess } from '../process/spawn.js';
import { findByPid, namespaceOf } from '../process/table.js';
import { emptyLog } from '../sessions/log.js';
import type { State } from '../state.js';
import { makeTerminal } from '../terminals/input.js';
import { mountAll } from './mounts.js';
import { findCommand, withHome } from './command.js';

const UMASK = 0o022;
/** Of one container, whatever its pod may have. */
const MAX_PROCESSES = 4_096;
/** The namespace that containers share, when they do; that of their host. */
const SHARED = 'pod';
const HOST = 'host';

/** Makes a container and its first process. Throws StartFailure; then nothing is left of it. */
export function startContainer(state: State, spec: ContainerSpec, at: Millis): void {
  if (state.containers.has(spec.id)) throw new StartFailure(`container with given ID already exists`);
  const joined = spec.processesOf === undefined ? undefined : state.containers.get(spec.processesOf);
  const container = makeContainer(spec, joined?.namespace ?? spec.id, at);
  state.containers.set(spec.id, container);
  state.trees.set(spec.root.id, spec.root);
  if (spec.logTree !== undefined) state.trees.set(spec.logTree.id, spec.logTree);
  for (const mount of spec.mounts) state.trees.set(mount.tree.id, mount.tree);
  if (spec.host) state.trees.set(spec.host.tree.id, spec.host.tree);
  try {
    mountAll(state, container);
    makePoint(state.mounts.get(spec.id)!, container.cwd, false);
    if (spec.sharesProcesses && findByPid(state, SHARED, 1) === undefined) startPause(state);
    if (spec.host?.pid !== undefined) namespaceOf(state, HOST).nextPid = spec.host.pid;
    startMain(state, spec, container);
  } catch (error) {
    state.containers.delete(spec.id);
    state.mounts.delete(spec.id);
    if (error instanceof SystemError) throw new StartFailure(error.message.toLowerCase());
    throw error;
  }
}

const makeContainer = (spec: ContainerSpec, namespace: string, at: Millis): Container => ({
  id: spec.id,
  name: spec.name,
  argv: spec.argv,
  env: spec.env,
  cwd: spec.cwd === '' ? '/' : spec.cwd,
  user: spec.user,
  group: spec.group,
  groups: spec.groups,
  root: spec.root.id,
  readOnlyRoot: spec.readOnlyRoot,
  mounts: spec.mounts.map(({ tree, ...mount }) => ({ ...mount, tree: tree.id })),
  ...(spec.systemRoots?.length ? { systemRoots: spec.systemRoots } : {}),
  ...(spec.host ? { host: { ...spec.host, tree: spec.host.tree.id } } : {}),
  hasTerminal: spec.terminal,
  stdinOnce: spec.stdinOnce,
  memoryLimit: spec.memoryLimit,
  cpuLimit: spec.cpuLimit,
  cpuShares: spec.cpuShares,
  processLimit: Math.min(spec.processLimit, MAX_PROCESSES),
  capabilities: spec.capabilities.map((name) => name.replace(/^CAP_/, '')),
  ...(spec.noNewPrivileges ? { noNewPrivileges: true } : {}),
  ...(spec.filter ? { filter: spec.filter } : {}),
  ...(spec.confinement ? { confinement: spec.confinement } : {}),
  ...(spec.usersFrom === undefined ? {} : { usersFrom: spec.usersFrom }),
  ...(spec.takenPorts?.length ? { takenPorts: spec.takenPorts } : {}),
  ...(spec.kernel ? { kernel: spec.kernel } : {}),
  hostname: spec.hostname,
  startedAt: at,
  namespace: spec.host?.pid !== undefined ? HOST : spec.sharesProcesses ? SHARED : namespace,
  files: spec.files ?? {},
  main: 0,
  log: emptyLog(spec.logTree?.id ?? `log:${spec.id}`),
  cpu: newCpuAccount(at),
  memoryPeak: 0,
  isOutOfMemory: false,
  oomKills: 0,
  parked: [],
});

/** The sandbox's own process: it does nothing but to reap orphans. */
function startPause(state: State): void {
  const pause = makeProcess(state, {
    namespace: SHARED,
    container: '',
    parent: 0,
    group: 0,
    session: 0,
    program: 'pause',
    argv: ['/pause'],
    env: {},
    cwd: '/',
    name: 'pause',
    executable: '/pause',
    umask: UMASK,
    user: 65_535,
    groupId: 65_535,
    groups: [],
    actions: { CHLD: 'ignore' },
  });
  pause.status = 'waiting';
  pause.waiting = {};
}

function startMain(state: State, spec: ContainerSpec, container: Container): void {
  const identity = { user: spec.user, group: spec.group, groups: spec.groups };
  const execution = findCommand(state, container, identity, container.cwd, spec.argv, spec.env);
  const terminalEnv: Record<string, Bytes> = spec.terminal ? { TERM: 'xterm' } : {};
  const main = makeProcess(state, {
    namespace: container.namespace,
    container: container.id,
    parent: 0,
    group: 0,
    session: 0,
    env: withHome(state, container, spec.user, { ...terminalEnv, ...spec.env }),
    cwd: container.cwd,
    umask: UMASK,
    user: spec.user,
    groupId: spec.group,
    groups: [...spec.groups],
    actions: {},
    ...execution,
  });
  container.main = main.id;
  if (spec.terminal) openTerminal(state, container, main);
  else openStreams(state, container, main, spec.stdin);
}

function openTerminal(state: State, container: Container, main: Process): void {
  const terminal = makeTerminal(state, { container: container.id, namespace: container.namespace });
  terminal.session = main.session;
  terminal.foreground = main.group;
  container.terminal = terminal.id;
  main.terminal = terminal.id;
  const open = openDescription(state, { type: 'terminal', read: true, write: true, terminal: terminal.id });
  for (const descriptor of [0, 1, 2]) give(main, descriptor, open);
}

function openStreams(state: State, container: Container, main: Process, hasInput: boolean): void {
  if (hasInput) {
    const pipe = makePipe(state).id;
    give(main, 0, openDescription(state, { type: 'pipe', read: true, write: false, pipe }));
    const writing = openDescription(state, { type: 'pipe', read: false, write: true, pipe });
    writing.references++;
    container.stdin = writing.id;
  } else give(main, 0, openDescription(state, { type: 'device', read: true, write: true, device: 'null', offset: 0 }));
  for (const [descriptor, stream] of [[1, 'stdout'] as const, [2, 'stderr'] as const]) {
    const fields = { type: 'log', read: false, write: true, container: container.id, stream } as const;
    give(main, descriptor, openDescription(state, fields));
  }
}

function give(process: Process, descriptor: number, open: { readonly id: number; references: number }): void {
  open.references++;
  process.descriptors[descriptor] = open.id;
}
