import type { Bytes } from '../bytes.js';
import { copyPlain } from '../copy.js';
import { SystemError } from '../errno.js';
import type { Signal } from '../signals.js';
import type { State } from '../state.js';
import { findExecution, type Execution } from './execute.js';
import type { Process } from './process.js';
import type { Plain } from './program.js';
import type { SpawnRequest } from './syscalls.js';
import { addProcess, countProcesses, namespaceOf, takePid } from './table.js';
import { viewerOf } from './viewer.js';

/** What a process holds of memory before its program says more: a small C program's. */
export const BASE_MEMORY = 512 * 1024;

type Inherited = Pick<
  Process,
  | 'namespace'
  | 'container'
  | 'parent'
  | 'group'
  | 'session'
  | 'program'
  | 'argv'
  | 'env'
  | 'cwd'
  | 'name'
  | 'executable'
  | 'umask'
  | 'user'
  | 'groupId'
  | 'groups'
  | 'actions'
> &
  Partial<Pick<Process, 'state' | 'terminal' | 'memory' | 'root' | 'networkNamespace' | 'limits'>>;

/** Throws EAGAIN: a user has as many processes as it has allowed itself. Root may have more. */
function requireOwnLimit(state: State, { container, user, limits }: Inherited): void {
  const most = limits?.processes;
  if (most === undefined || user === 0) return;
  let count = 0;
  for (const one of state.processes.values()) if (one.container === container && one.user === user) count++;
  if (count >= most) throw new SystemError('EAGAIN');
}

/** Adds a process to the tables. `group` and `session` 0: its own. Throws EAGAIN. */
export function makeProcess(state: State, fields: Inherited): Process {
  const limit = state.containers.get(fields.container)?.processLimit ?? Infinity;
  if (countProcesses(state, fields.container) >= limit) throw new SystemError('EAGAIN');
  requireOwnLimit(state, fields);
  const pid = takePid(namespaceOf(state, fields.namespace));
  // Written out: processes of one shape are made ten times as fast as by spreading.
  const process: Process = {
    id: state.counters.process++,
    pid,
    namespace: fields.namespace,
    container: fields.container,
    parent: fields.parent,
    group: fields.group === 0 ? pid : fields.group,
    session: fields.session === 0 ? pid : fields.session,
    status: 'ready',
    program: fields.program,
    state: fields.state,
    argv: fields.argv,
    env: fields.env,
    cwd: fields.cwd,
    name: fields.name,
    executable: fields.executable,
    umask: fields.umask,
    limits: fields.limits,
    user: fields.user,
    groupId: fields.groupId,
    groups: fields.groups,
    descriptors: {},
    actions: fields.actions,
    pending: [],
    caught: [],
    terminal: fields.terminal,
    startedAt: state.now,
    cpu: 0,
    memory: fields.memory ?? BASE_MEMORY,
    held: 0,
    draws: 0,
  };
  if (fields.root !== undefined) process.root = fields.root;
  if (fields.networkNamespace !== undefined) process.networkNamespace = fields.networkNamespace;
  addProcess(state, process);
  state.ready.push(process.id);
  return process;
}

/** What was ignored stays so in another program; what was caught is treated by default. */
function ignoredOnly(process: Process): Process['actions'] {
  const actions: Process['actions'] = {};
  for (const signal of Object.keys(process.actions) as Signal[]) {
    if (process.actions[signal] === 'ignore') actions[signal] = 'ignore';
  }
  return actions;
}

export function spawn(state: State, parent: Process, request: SpawnRequest): Process {
  const execution = findFor(state, parent, request);
  const descriptors = request.descriptors ?? standardDescriptors(parent);
  const inherited = Object.entries(descriptors).map(([as, from]) => [as, openId(parent, from)] as const);
  const child = makeProcess(state, {
    ...inheritance(parent),
    ...execution,
    env: { ...(request.env ?? parent.env) },
    cwd: request.cwd ?? parent.cwd,
    group: request.group ?? parent.group,
    actions: ignoredOnly(parent),
  });
  for (const [as, id] of inherited) {
    state.descriptions.get(id)!.references++;
    child.descriptors[Number(as)] = id;
  }
  return child;
}

function standardDescriptors(parent: Process): Record<number, number> {
  const open: Record<number, number> = {};
  for (const descriptor of [0, 1, 2]) if (parent.descriptors[descriptor] !== undefined) open[descriptor] = descriptor;
  return open;
}

function openId(process: Process, descriptor: number): number {
  const id = process.descriptors[descriptor];
  if (id === undefined) throw new SystemError('EBADF');
  return id;
}

const inheritance = (parent: Process) => ({
  namespace: parent.namespace,
  container: parent.container,
  parent: parent.id,
  session: parent.session,
  umask: parent.umask,
  limits: parent.limits,
  user: parent.user,
  groupId: parent.groupId,
  groups: parent.groups,
  terminal: parent.terminal,
  root: parent.root,
  networkNamespace: parent.networkNamespace,
});

/** A child of the same program, which goes on from a copy of this state, with all descriptors. */
export function fork(state: State, parent: Process, programState: Plain): Process {
  const child = makeProcess(state, {
    ...inheritance(parent),
    group: parent.group,
    program: parent.program,
    state: copyPlain(programState),
    argv: parent.argv,
    env: { ...parent.env },
    cwd: parent.cwd,
    name: parent.name,
    executable: parent.executable,
    actions: { ...parent.actions },
    memory: parent.memory,
  });
  for (const [descriptor, id] of Object.entries(parent.descriptors)) {
    state.descriptions.get(id)!.references++;
    child.descriptors[Number(descriptor)] = id;
  }
  return child;
}

/** The process becomes another program; it begins when the step that asks for it has ended. */
export function replace(
  state: State,
  process: Process,
  path: Bytes,
  argv: readonly Bytes[],
  env?: Readonly<Record<string, Bytes>>,
): void {
  become(process, findFor(state, process, { path, argv, env }));
  if (env !== undefined) process.env = { ...env };
}

function findFor(
  state: State,
  process: Process,
  { path, argv, env }: Pick<SpawnRequest, 'path' | 'argv' | 'env'>,
): Execution {
  const { noNewPrivileges } = state.containers.get(process.container) ?? {};
  return findExecution(state.programs, viewerOf(state, process), path, argv, env ?? process.env, noNewPrivileges);
}

function become(process: Process, execution: Execution): void {
  process.program = execution.program;
  process.argv = execution.argv;
  process.user = execution.user ?? process.user;
  process.groupId = execution.groupId ?? process.groupId;
  process.name = execution.name;
  process.executable = execution.executable;
  process.isReplaced = true;
  process.actions = ignoredOnly(process);
  process.caught = [];
  process.memory = BASE_MEMORY;
  process.held = 0;
}
