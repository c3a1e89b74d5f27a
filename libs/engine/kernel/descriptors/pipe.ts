import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import { wake } from '../scheduler/queue.js';
import type { State } from '../state.js';
import type { Pipe } from './description.js';

const CAPACITY = 65_536;
/** As with /proc/sys/fs/pipe-user-pages-soft: further pipes have two pages. */
const MAX_FULL_PIPES = 1_024;
const SMALL_CAPACITY = 8_192;
const MAX_PIPES = 16_384;

export const pipeChannel = (id: number): string => `pipe${id}`;

/** Throws ENFILE. */
export function makePipe(state: State, fifo?: string): Pipe {
  if (state.pipes.size >= MAX_PIPES) throw new SystemError('ENFILE');
  const id = state.counters.pipe++;
  const capacity = state.pipes.size < MAX_FULL_PIPES ? CAPACITY : SMALL_CAPACITY;
  const pipe: Pipe = { id, capacity, data: '', readers: 0, writers: 0, fifo, hadReader: false, hadWriter: false };
  state.pipes.set(id, pipe);
  return pipe;
}

/** The pipe behind a FIFO of a tree: one for all who have it open. */
export function fifoPipe(state: State, fifo: string): Pipe {
  for (const pipe of state.pipes.values()) if (pipe.fifo === fifo) return pipe;
  return makePipe(state, fifo);
}

export function addPipeEnd(state: State, pipe: Pipe, end: { read: boolean; write: boolean }): void {
  if (end.read) pipe.readers++;
  if (end.write) pipe.writers++;
  pipe.hadReader ||= end.read;
  pipe.hadWriter ||= end.write;
  wake(state, pipeChannel(pipe.id));
}

export function dropPipeEnd(state: State, pipe: Pipe, end: { read: boolean; write: boolean }): void {
  if (end.read) pipe.readers--;
  if (end.write) pipe.writers--;
  wake(state, pipeChannel(pipe.id));
  if (pipe.readers === 0 && pipe.writers === 0) state.pipes.delete(pipe.id);
}

/** Undefined: it is empty and may still be written to. '': end of file. */
export function readPipe(state: State, pipe: Pipe, max: number): Bytes | undefined {
  if (pipe.data === '') return isPipeReadable(pipe) ? '' : undefined;
  const bytes = pipe.data.slice(0, max);
  pipe.data = pipe.data.slice(bytes.length);
  wake(state, pipeChannel(pipe.id));
  return bytes;
}

/** How many bytes it took; 0: it is full. */
export function writePipe(state: State, pipe: Pipe, bytes: Bytes): number {
  const taken = bytes.slice(0, pipe.capacity - pipe.data.length);
  if (taken === '') return 0;
  pipe.data += taken;
  wake(state, pipeChannel(pipe.id));
  return taken.length;
}

export const isPipeReadable = (pipe: Pipe): boolean =>
  pipe.data !== '' || (pipe.writers === 0 && (pipe.fifo === undefined || pipe.hadWriter));

/** Nobody will read what is written: EPIPE. */
export const isPipeBroken = (pipe: Pipe): boolean => pipe.readers === 0 && (pipe.fifo === undefined || pipe.hadReader);

export const isPipeWritable = (pipe: Pipe): boolean =>
  isPipeBroken(pipe) || (pipe.readers > 0 && pipe.data.length < pipe.capacity);
