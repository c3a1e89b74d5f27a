import type { State } from '../state.js';
import { SystemError } from '../errno.js';
import type { PidNamespace, Process } from './process.js';

/** kernel.pid_max of small machines. */
export const MAX_PID = 32_768;
/** RESERVED_PIDS: where numbers begin again. */
const FIRST_AGAIN = 300;

export function namespaceOf(state: State, id: string): PidNamespace {
  const known = state.namespaces.get(id);
  if (known !== undefined) return known;
  const namespace: PidNamespace = { id, nextPid: 1, pids: new Map() };
  state.namespaces.set(id, namespace);
  return namespace;
}

/** The next free pid. Throws EAGAIN. */
export function takePid(namespace: PidNamespace): number {
  if (namespace.pids.size >= MAX_PID) throw new SystemError('EAGAIN');
  for (;;) {
    if (namespace.nextPid > MAX_PID) namespace.nextPid = FIRST_AGAIN;
    const pid = namespace.nextPid++;
    if (!namespace.pids.has(pid)) return pid;
  }
}

export function addProcess(state: State, process: Process): void {
  state.processes.set(process.id, process);
  namespaceOf(state, process.namespace).pids.set(process.pid, process.id);
  addChild(state, process);
}

export function addChild(state: State, process: Process): void {
  const siblings = state.children.get(process.parent);
  if (siblings === undefined) state.children.set(process.parent, new Set([process.id]));
  else siblings.add(process.id);
}

/** Takes a zombie out of the tables. */
export function reap(state: State, process: Process): void {
  state.processes.delete(process.id);
  state.namespaces.get(process.namespace)?.pids.delete(process.pid);
  state.children.get(process.parent)?.delete(process.id);
  state.children.delete(process.id);
}

export function childrenOf(state: State, process: Process): Process[] {
  const ids = state.children.get(process.id);
  return ids === undefined ? [] : [...ids].sort((a, b) => a - b).map((id) => state.processes.get(id)!);
}

/** The process with a pid in the namespace of another. */
export function findByPid(state: State, namespace: string, pid: number): Process | undefined {
  const id = state.namespaces.get(namespace)?.pids.get(pid);
  return id === undefined ? undefined : state.processes.get(id);
}

/** The pid of the parent as the process sees it: 0 when it is outside of the namespace. */
export const parentPid = (state: State, process: Process): number => state.processes.get(process.parent)?.pid ?? 0;

export function countProcesses(state: State, container: string): number {
  let count = 0;
  for (const process of state.processes.values()) if (process.container === container) count++;
  return count;
}
