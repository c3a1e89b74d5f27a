import type { Millis } from '../../../machinery/time/time.js';
import type { ContainerExit } from '../../../kernel/container.js';
import type { Signal } from '../../../kernel/signals.js';
import type { BoundedMachine } from './bounded-machine.js';

/** What would come of something, seen in a copy of a machine that goes its own way. */
export interface Trial<T> {
  readonly copy: BoundedMachine;
  /** It has asked for names so far, or connected to others. */
  asksOthers?: boolean;
  /** Goes on; undefined when the copy's steps are used up before the result is known. */
  proceed(): { readonly result: T } | undefined;
}

/** How a container that gets a signal at a time ends within its grace period; undefined: it does not. */
export function tryStop(
  copy: BoundedMachine,
  containerID: string,
  signal: Signal,
  at: Millis,
  graceMs: Millis,
): Trial<ContainerExit | undefined> {
  let isTold = false;
  return {
    copy,
    proceed: () => {
      if (!isTold && !copy.run(at)) return undefined;
      if (!isTold && copy.container(containerID).running) copy.signal(containerID, signal, at);
      isTold = true;
      return copy.run(at + graceMs) ? { result: copy.container(containerID).exit } : undefined;
    },
  };
}
