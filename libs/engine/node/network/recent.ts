import { hash32 } from '../../machinery/random.js';

/**
 * Whether a client is bound to an endpoint's list. Linux remembers who came when; here a client belongs to that list
 * of a chain which has the highest number for it, so that no look writes, and an endpoint that comes or goes moves only
 * the clients that it takes or leaves. Left out: entries do not expire, a client that comes back late finds its
 * endpoint again.
 */
export function isBound(name: string, client: string, lists: readonly string[]): boolean {
  const own = hash32(`${client} ${name}`);
  return lists.every((other) => {
    const rival = hash32(`${client} ${other}`);
    return rival < own || (rival === own && other >= name);
  });
}
