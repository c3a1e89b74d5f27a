import type { Change } from '../../machinery/change.js';
import type { AppliedChange } from '../../machinery/requests/http.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Loop } from '../../runtime/loop.js';
import type { LoopState } from '../../runtime/loop-state.js';
import type { Mark, State } from '../../runtime/state/state.js';

export interface RetraceParts {
  readonly state: State;
  readonly loop: Loop;
  /** Puts a change of the log in its place. */
  replay(change: Change): void;
  /** Undoes what was done since. */
  rollback(mark: Mark): void;
}

/** Unfinished pieces of work that one step may have; a program that takes longer is not waited for. */
const MAX_PIECES = 2_000;

/** Where an input may have come before the components did anything more. */
interface Fork {
  readonly mark: Mark;
  readonly loop: LoopState;
}

/**
 * Runs the components over a part of the log that another process has written, from before it: they do all of it again,
 * and then have in mind what that process had. What they do not do was an input, and is put in its place. False when
 * they do something that the log does not have: state and loop are then to be thrown away.
 */
export function retrace(parts: RetraceParts, logged: readonly Change[]): boolean {
  const { state, loop } = parts;
  let fork: Fork | undefined;
  for (let i = 0; i < logged.length;) {
    const next = logged[i]!;
    const made = state.isTimelessResource(next.resource) ? [] : makeNext(parts, next.at);
    if (!made) return false;
    if (made.length > 0 && isLogged(made, logged, i)) {
      i += made.length;
      fork = undefined;
      continue;
    }
    if (made.length > 0) {
      if (!fork) return false;
      parts.rollback(fork.mark);
      loop.restore(fork.loop);
    }
    parts.replay(next);
    i++;
    loop.commit();
    const saved = loop.save();
    fork = saved && { mark: state.mark(), loop: saved };
  }
  return true;
}

/** The changes of the next reconcile that makes some; none when nothing is left to do until then. */
function makeNext(
  { state, loop }: Pick<RetraceParts, 'state' | 'loop'>,
  until: number,
): readonly AppliedChange[] | undefined {
  const mark = state.mark();
  for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
    const { settled } = loop.advance(until, 1);
    const made = state.since(mark);
    if (settled || made.length > 0) return made;
  }
  return undefined;
}

const isLogged = (made: readonly AppliedChange[], logged: readonly Change[], from: number): boolean =>
  made.every((change, i) => isSame(change, logged[from + i]));

/** The cause is the log's: a process that has just begun may not know it. */
function isSame(made: AppliedChange, logged: Change | undefined): boolean {
  return (
    logged !== undefined &&
    made.type === logged.type &&
    made.resource === logged.resource &&
    made.name === logged.name &&
    made.namespace === logged.namespace &&
    made.actor === logged.actor &&
    made.at === logged.at &&
    deepEqual(made.object, logged.object)
  );
}
