import { hash32 } from '../../../machinery/random.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';

/** Whether a client that was put into a list at a time is still in it. */
export const isFresh = (at: Millis | undefined, seconds: number, now: Millis): boolean =>
  at !== undefined && now - at < seconds * SECOND;

/**
 * Whether a client without a memory of its own, as whoever comes from outside, is bound to an endpoint's list: it
 * belongs to that list of a chain which has the highest number for it, so that no look writes, and an endpoint that
 * comes or goes moves only the clients that it takes or leaves. Left out: these do not expire.
 */
export function isBound(name: string, client: string, lists: readonly string[]): boolean {
  const own = hash32(`${client} ${name}`);
  return lists.every((other) => {
    const rival = hash32(`${client} ${other}`);
    return rival < own || (rival === own && other >= name);
  });
}
