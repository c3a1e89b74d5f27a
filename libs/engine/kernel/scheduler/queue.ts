import type { Process } from '../process/process.js';
import type { State } from '../state.js';

/** Puts a process at the end of the queue. */
export function makeReady(state: State, process: Process): void {
  if (process.status !== 'waiting') return;
  process.status = 'ready';
  state.ready.push(process.id);
}

/** Those who wait for a channel (a pipe, a terminal, a socket, a session) have their turn to look again. */
export function wake(state: State, channel: string): void {
  const waiters = state.waiters.get(channel);
  if (waiters === undefined) return;
  for (const id of waiters.size > 1 ? [...waiters].sort((a, b) => a - b) : waiters) {
    const process = state.processes.get(id);
    if (process !== undefined) makeReady(state, process);
  }
}
