import type { PastChange } from '../machinery/past-change.js';

/** Steps that an answer shows at most: a user's write and what followed it, then the newest ones. */
const MAX_STEPS = 32;
const OLDEST_STEPS = 8;
/** A component that answers its own writes makes a run of like changes: a ReplicaSet's 500 pods at a time. */
const SHOWN_OF_RUN = 2;

/** So many changes; 'unknown': nobody has counted them. */
export type LeftOut = number | 'unknown';

export interface ShownChange {
  readonly change: PastChange;
  /** Changes between the shown one before and this one. */
  readonly leftOut: LeftOut;
}

/**
 * What is shown of a chain, the oldest change first: its beginning and its end, and both ends of each run.
 * `isCut`: what its first change answers to was not looked at.
 */
export function leaveOut(chain: readonly PastChange[], isCut = false): ShownChange[] {
  const ends = runEnds(chain);
  const middle = ends.length - (MAX_STEPS - OLDEST_STEPS);
  const shown = ends.length <= MAX_STEPS ? ends : [...ends.slice(0, OLDEST_STEPS), ...ends.slice(middle)];
  const before = (i: number): LeftOut => (i > 0 ? shown[i]! - shown[i - 1]! - 1 : isCut ? 'unknown' : 0);
  return shown.map((at, i) => ({ change: chain[at]!, leftOut: before(i) }));
}

/** Where a chain's runs begin and end. */
function runEnds(chain: readonly PastChange[]): number[] {
  const ends: number[] = [];
  for (let start = 0; start < chain.length;) {
    let end = start + 1;
    while (end < chain.length && isAlike(chain[end]!, chain[start]!)) end++;
    if (end - start <= SHOWN_OF_RUN) for (let at = start; at < end; at++) ends.push(at);
    else ends.push(start, end - 1);
    start = end;
  }
  return ends;
}

/** Whether the same component did the same to an object of the same kind. */
const isAlike = (a: PastChange, b: PastChange): boolean =>
  a.actor === b.actor &&
  a.verb === b.verb &&
  a.resource === b.resource &&
  a.namespace === b.namespace &&
  a.typed === undefined &&
  a.fields.join() === b.fields.join();
