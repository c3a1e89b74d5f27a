import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError } from '../../engine/kernel/errno.js';
import { exit, type Plain, type Program, type Wait, waitToRead } from '../../engine/kernel/process/program.js';
import type { ChildStatus, Syscalls } from '../../engine/kernel/process/syscalls.js';

/**
 * Children of a server that does their work itself: they are there to be seen and to get signals, and wait for nothing
 * but its end, so that they cost no wakes. `writers`: the ends of the pipes that hold them.
 */
export type Children = { pids: number[]; writers: number[] };

export interface ChildLook {
  /** By default the parent's command line. */
  readonly title?: Bytes;
  /** By default the parent's. */
  readonly user?: number;
}

/** What such a child is, in its own state. */
type ChildState = { idleChild: { title: Bytes | null; user: number | null; reader: number; hasBegun: boolean } };

/** So many children are started at once. */
const MAX_CHILDREN = 32;
/** A process of a C program, without what its parent holds. */
const MEMORY = 512 * 1024;

export const noChildren = (): Children => ({ pids: [], writers: [] });

/** Starts them and gives their pids; those that the limit of processes leaves no room for are not there. */
export function startChildren(sys: Syscalls, children: Children, looks: readonly ChildLook[]): number[] {
  const { reader, writer } = sys.pipe();
  const pids: number[] = [];
  for (const { title, user } of looks.slice(0, MAX_CHILDREN)) {
    const own: ChildState = { idleChild: { title: title ?? null, user: user ?? null, reader, hasBegun: false } };
    try {
      pids.push(sys.fork(own));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      break;
    }
  }
  sys.close(reader);
  children.pids.push(...pids);
  children.writers.push(writer);
  return pids;
}

/** They end at once, with code 0. */
export function endChildren(sys: Syscalls, children: Children): void {
  for (const writer of children.writers) sys.close(writer);
  Object.assign(children, noChildren());
}

/** Takes the children that have ended out of the process table. */
export function reapChildren(sys: Syscalls): ChildStatus[] {
  const ended: ChildStatus[] = [];
  try {
    for (let one = sys.wait(-1); one !== undefined; one = sys.wait(-1)) ended.push(one);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  return ended;
}

/** A server's program that can be its own idle child, too. */
export function withChildren(program: Program): Program {
  return {
    ...program,
    step: (state, sys) => (isChild(state) ? stepChild(state, sys) : program.step(state, sys)),
  };
}

const isChild = (state: Plain): state is ChildState =>
  typeof state === 'object' && state !== null && Object.hasOwn(state, 'idleChild');

function stepChild({ idleChild: own }: ChildState, sys: Syscalls): Wait {
  if (!own.hasBegun) {
    own.hasBegun = true;
    if (own.title !== null) sys.setTitle(own.title);
    for (const descriptor of sys.descriptors()) if (descriptor > 2 && descriptor !== own.reader) sys.close(descriptor);
    for (const signal of ['TERM', 'INT', 'QUIT'] as const) sys.handleSignal(signal, 'catch');
    for (const signal of ['HUP', 'USR1', 'USR2', 'WINCH'] as const) sys.handleSignal(signal, 'ignore');
    if (own.user !== null && sys.user === 0) sys.setUser(own.user, own.user);
    sys.setMemory(MEMORY);
  }
  if (sys.takeSignal() !== undefined || sys.read(own.reader) === '') return exit(0);
  return waitToRead(own.reader);
}
