import { SIGNALS, type Signal, type SignalAction } from '../signals.js';
import { makeReady } from '../scheduler/queue.js';
import type { State } from '../state.js';
import type { Process } from './process.js';

const IGNORED: ReadonlySet<Signal> = new Set<Signal>(['CHLD', 'URG', 'WINCH', 'CONT']);
const STOPPING: ReadonlySet<Signal> = new Set<Signal>(['STOP', 'TSTP', 'TTIN', 'TTOU']);

/** Thrown out of a system call of a process that has just been killed by it: SIGPIPE, kill of itself. */
export class Killed extends Error {}

export const isStopping = (signal: Signal): boolean => STOPPING.has(signal);

export const actionOf = (process: Process, signal: Signal): SignalAction => process.actions[signal] ?? 'default';

const isInit = (process: Process): boolean => process.pid === 1;

/**
 * Sends a signal. A fatal one is carried out by the scheduler when it comes to the process. The first process of a
 * namespace has no default actions: only from outside can it be killed or stopped.
 */
export function sendSignal(state: State, process: Process, signal: Signal, fromOutside = false): void {
  if (process.status === 'zombie') return;
  if (signal === 'CONT') resume(state, process);
  if (isStopping(signal)) process.pending = process.pending.filter((one) => one !== 'CONT');
  const action = actionOf(process, signal);
  const isForced = signal === 'KILL' || signal === 'STOP';
  if (action === 'ignore' && !isForced) return;
  if (action === 'catch' && !isForced) {
    if (!process.caught.includes(signal)) process.caught.push(signal);
    process.isInterrupted = true;
    return makeReady(state, process);
  }
  if (IGNORED.has(signal) || (isInit(process) && !(fromOutside && isForced))) return;
  if (signal === 'KILL' && process.status === 'stopped') process.status = 'waiting';
  if (!process.pending.includes(signal)) process.pending.push(signal);
  makeReady(state, process);
  unpark(state, process);
}

/** A process whose container has used up its CPU is ended or stopped at once all the same: that takes none. */
function unpark(state: State, process: Process): void {
  const container = state.containers.get(process.container);
  if (container === undefined || !container.parked.includes(process.id)) return;
  container.parked = container.parked.filter((id) => id !== process.id);
  if (!state.ready.includes(process.id)) state.ready.push(process.id);
}

/** A stopped process goes on; its parent may wait for that. */
function resume(state: State, process: Process): void {
  process.pending = process.pending.filter((signal) => !isStopping(signal));
  if (process.status !== 'stopped') return;
  process.status = 'waiting';
  process.report = { state: 'continued', signal: 'CONT' };
  makeReady(state, process);
  notifyParent(state, process);
}

export function stopProcess(state: State, process: Process, signal: Signal): void {
  process.status = 'stopped';
  process.report = { state: 'stopped', signal };
  notifyParent(state, process);
}

/** SIGCHLD, and the end of its wait. */
export function notifyParent(state: State, process: Process): void {
  const parent = state.processes.get(process.parent);
  if (parent === undefined) return;
  parent.hasChildNews = true;
  sendSignal(state, parent, 'CHLD');
  if (parent.waiting?.child === true) makeReady(state, parent);
}

/** All processes of a group. */
export function signalGroup(state: State, namespace: string, group: number, signal: Signal): boolean {
  const members = membersOf(state, namespace, group);
  for (const process of members) sendSignal(state, process, signal);
  return members.length > 0;
}

export function membersOf(state: State, namespace: string, group: number): Process[] {
  return [...state.processes.values()].filter(
    (process) => process.namespace === namespace && process.group === group && process.status !== 'zombie',
  );
}

/** 128 and the signal's number: how a shell and a container runtime tell it. */
export const codeOfSignal = (signal: Signal): number => 128 + SIGNALS[signal];
