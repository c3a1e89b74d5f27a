import type { Millis } from '../../machinery/time/time.js';

/** A line of a server's log about a question or a request, remembered by the machine that has asked. */
export interface LoggedQuestion {
  readonly at: Millis;
  /** The machine of the server. */
  readonly server: string;
  readonly text: string;
}
