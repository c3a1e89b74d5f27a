import { channelOf, isReadable, isWritable } from '../descriptors/io.js';
import type { Description } from '../descriptors/description.js';
import { forgetWaits } from '../process/exit.js';
import type { Process, Waiting } from '../process/process.js';
import { hasChildNews } from '../process/wait.js';
import type { State } from '../state.js';

const openOf = (state: State, process: Process, descriptor: number): Description | undefined =>
  state.descriptions.get(process.descriptors[descriptor] ?? -1);

/** Whether a process may go on. A descriptor that is not open fails at once: the next call says so. */
export function isSatisfied(state: State, process: Process, waiting: Waiting): boolean {
  if (process.isInterrupted) return true;
  if (waiting.until !== undefined && waiting.until <= state.now) return true;
  if (waiting.child && hasChildNews(state, process)) return true;
  for (const descriptor of waiting.readable ?? []) {
    const open = openOf(state, process, descriptor);
    if (open === undefined || isReadable(state, open)) return true;
  }
  for (const descriptor of waiting.writable ?? []) {
    const open = openOf(state, process, descriptor);
    if (open === undefined || isWritable(state, open)) return true;
  }
  return false;
}

/** Takes the process out of the queue until one of the things that it waits for may have come. */
export function block(state: State, process: Process, waiting: Waiting): void {
  process.status = 'waiting';
  process.waiting = waiting;
  listen(state, process, waiting);
}

/** Waits for the channels and the time; again after the machine was written down. */
export function listen(state: State, process: Process, waiting: Waiting): void {
  if (waiting.until !== undefined) state.timers.add({ at: waiting.until, kind: 'process', id: process.id });
  const channels: string[] = [];
  for (const descriptor of waiting.readable ?? []) addChannel(state, process, descriptor, false, channels);
  for (const descriptor of waiting.writable ?? []) addChannel(state, process, descriptor, true, channels);
  if (channels.length === 0) return;
  for (const channel of channels) {
    const waiters = state.waiters.get(channel);
    if (waiters === undefined) state.waiters.set(channel, new Set([process.id]));
    else waiters.add(process.id);
  }
  state.channels.set(process.id, channels);
}

function addChannel(state: State, process: Process, descriptor: number, forWriting: boolean, to: string[]): void {
  const open = openOf(state, process, descriptor);
  const channel = open === undefined ? undefined : channelOf(state, open, forWriting);
  if (channel !== undefined) to.push(channel);
}

export function unblock(state: State, process: Process): void {
  if (state.channels.has(process.id)) forgetWaits(state, process);
  process.waiting = undefined;
}
