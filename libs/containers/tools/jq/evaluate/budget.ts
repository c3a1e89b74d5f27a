import { JqExhausted } from '../values/values.js';

const MAX_WORK = 4_000_000;
const MAX_DEPTH = 1_200;

/** What one input may cost: without it a program of a few letters runs for ever. */
export class Budget {
  work = 0;
  /** Set back by who catches what was thrown deeper. */
  depth = 0;

  /** Units of work: about one for each node that is evaluated, or 16 bytes that are copied. */
  spend(units = 1): void {
    this.work += units;
    if (this.work > MAX_WORK) throw new JqExhausted('the program takes more steps than are simulated');
  }

  /** Before one goes a level deeper; `leave` after it. */
  enter(): void {
    if (this.depth >= MAX_DEPTH) throw new JqExhausted('the program nests deeper than is simulated');
    this.depth++;
  }

  leave(): void {
    this.depth--;
  }
}
