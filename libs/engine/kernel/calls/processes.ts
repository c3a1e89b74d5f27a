import { SystemError } from '../errno.js';
import { describeHostProcess, hostParentOf, hostProcessesOf, isHiddenMain, seesHost } from '../host/processes.js';
import type { Process } from '../process/process.js';
import type { ProcessInfo } from '../process/syscalls.js';
import { actionOf, isStopping, Killed, membersOf, sendSignal } from '../process/signal.js';
import { findByPid, parentPid } from '../process/table.js';
import { capabilitiesOf } from '../process/viewer.js';
import type { Container } from '../container-state.js';
import type { Signal } from '../signals.js';
import type { State } from '../state.js';
import { STEPS_PER_MS } from '../cgroup/cpu.js';
import { residentOf } from '../cgroup/memory.js';
import { stressorsOf } from '../cgroup/stressors.js';
import { terminalName } from '../terminals/output.js';

/** kill(2). Throws ESRCH, EPERM. */
export function kill(state: State, process: Process, pid: number, signal: Signal | 0): void {
  const targets = targetsOf(state, process, pid);
  if (targets.length === 0) throw new SystemError('ESRCH');
  const allowed = targets.filter((target) => maySignal(state, process, target));
  if (allowed.length === 0) throw new SystemError('EPERM');
  if (signal === 0) return;
  for (const target of allowed) sendSignal(state, target, signal);
  if (process.pending.some((one) => !isStopping(one))) throw new Killed();
}

function targetsOf(state: State, process: Process, pid: number): Process[] {
  const { namespace } = process;
  if (pid > 0) {
    const target = findByPid(state, namespace, pid);
    return target === undefined ? [] : [target];
  }
  if (pid < -1 || pid === 0) return membersOf(state, namespace, pid === 0 ? process.group : -pid);
  const others = (one: Process): boolean => one.namespace === namespace && one.pid !== 1 && one !== process;
  return [...state.processes.values()].filter(others);
}

const maySignal = (state: State, process: Process, target: Process): boolean =>
  target.user === process.user || capabilitiesOf(state, process).includes('KILL');

/** setpgid(2): of the process itself or a child. Throws ESRCH, EPERM. */
export function setGroup(state: State, process: Process, pid: number, group: number): void {
  const target = pid === 0 ? process : findByPid(state, process.namespace, pid);
  if (target === undefined || (target !== process && target.parent !== process.id)) throw new SystemError('ESRCH');
  if (target.session !== process.session || target.pid === target.session) throw new SystemError('EPERM');
  target.group = group === 0 ? target.pid : group;
}

/** getpgid(2). Throws ESRCH. */
export function groupOf(state: State, process: Process, pid: number): number {
  const target = pid === 0 ? process : findByPid(state, process.namespace, pid);
  if (target === undefined) throw new SystemError('ESRCH');
  return target.group;
}

/** setsid(2): a session and a group of its own, without a terminal. Throws EPERM for the leader of a group. */
export function setSession(process: Process): number {
  if (process.group === process.pid) throw new SystemError('EPERM');
  process.session = process.pid;
  process.group = process.pid;
  process.terminal = undefined;
  return process.pid;
}

/** Throws EPERM without root's capabilities. */
export function setUser(
  state: State,
  process: Process,
  user: number,
  group: number,
  groups: readonly number[] = process.groups,
): void {
  const capabilities = capabilitiesOf(state, process);
  const isChange = user !== process.user || group !== process.groupId;
  if (isChange && !(capabilities.includes('SETUID') && capabilities.includes('SETGID'))) throw new SystemError('EPERM');
  process.user = user;
  process.groupId = group;
  process.groups = [...groups];
}

export function processesFor(state: State, viewer: Process): ProcessInfo[] {
  const infos: ProcessInfo[] = [];
  for (const process of state.processes.values()) {
    if (process.namespace === viewer.namespace) infos.push(describeProcess(state, process));
  }
  for (const process of stressorsOf(state, viewer.namespace)) infos.push(describeProcess(state, process));
  const container = state.containers.get(viewer.container);
  const all = seesHost(container, viewer) ? withHost(state, container, infos) : infos;
  return all.sort((a, b) => a.pid - b.pid);
}

/** With what runs on the host beside the machine. */
function withHost(state: State, container: Container, own: readonly ProcessInfo[]): ProcessInfo[] {
  const main = state.processes.get(container.main);
  const isHidden = main !== undefined && isHiddenMain(container, main);
  const shown = own.filter(({ pid }) => !isHidden || pid !== main.pid);
  const taken = new Set(shown.map(({ pid }) => pid));
  const others = hostProcessesOf(state, container).filter(({ pid }) => !taken.has(pid));
  const parent = main === undefined ? 0 : hostParentOf(state, container);
  return [...others.map(describeHostProcess), ...shown.map((info) => (info.parent === 0 ? { ...info, parent } : info))];
}

const STATES = { ready: 'R', waiting: 'S', stopped: 'T', zombie: 'Z' } as const;

export function describeProcess(state: State, process: Process): ProcessInfo {
  const terminal = process.terminal === undefined ? undefined : state.terminals.get(process.terminal);
  return {
    pid: process.pid,
    parent: parentPid(state, process),
    group: process.group,
    session: process.session,
    user: process.user,
    groupId: process.groupId,
    terminal: terminal === undefined ? '' : terminalName(terminal),
    state: process === state.current ? 'R' : STATES[process.status],
    argv: process.status === 'zombie' ? [] : process.argv,
    name: process.name,
    startedAt: process.startedAt,
    cpu: process.cpu / STEPS_PER_MS,
    memory: residentOf(process),
    isForeground: terminal !== undefined && terminal.foreground === process.group,
  };
}

/** Throws EINVAL for KILL and STOP. */
export function handleSignal(process: Process, signal: Signal, action: 'default' | 'ignore' | 'catch'): void {
  if (signal === 'KILL' || signal === 'STOP') throw new SystemError('EINVAL');
  if (action === 'default') delete process.actions[signal];
  else process.actions[signal] = action;
  if (actionOf(process, signal) !== 'catch') process.caught = process.caught.filter((one) => one !== signal);
}
