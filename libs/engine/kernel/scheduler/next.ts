import type { Millis } from '../../machinery/time/time.js';
import type { State } from '../state.js';

/** When something goes on next without input. */
export function nextWake(state: State): Millis | undefined {
  return state.ready.length > 0 ? state.now : state.timers.first()?.at;
}
