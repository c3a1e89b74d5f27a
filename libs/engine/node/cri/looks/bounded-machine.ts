import { Machine } from '../../../kernel/machine.js';
import type { Millis } from '../../../machinery/time/time.js';

/**
 * Steps that a look ahead, or one reading of a session, makes of a machine that has much to do: some 10 ms of a thread.
 * Where they end follows from the steps alone, so that it is the same in every process.
 */
export const LOOK_STEPS = 10_000;

/** Steps of a look that has to come to its time, and that is continued when they are not enough: about 10 ms. */
export const SLICE_STEPS = 10_000;

/** A copy that runs ahead: after its steps it goes on no more, unless it gets others. */
export class BoundedMachine extends Machine {
  private left = LOOK_STEPS;

  allow(steps: number): void {
    this.left = steps;
  }

  override run(until: Millis): boolean {
    if (this.left <= 0) return this.now > until;
    const isDone = super.run(until, this.left);
    this.left = this.state.budget;
    return isDone;
  }
}
