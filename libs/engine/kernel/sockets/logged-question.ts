import type { Millis } from '../../machinery/time/time.js';

/** A line of a name server's log, remembered by the machine that has asked. */
export interface LoggedQuestion {
  readonly at: Millis;
  /** The machine of the server. */
  readonly server: string;
  readonly text: string;
}
