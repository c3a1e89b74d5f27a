import { ApiError } from '@terrarium/engine';
import { decodeChanges, isReset, type ClusterRow, type LogStore } from '@terrarium/store';
import type { PastPoint, PointQuery } from './point.js';

/** Where a cluster's log began anew: the revision, and its virtual time (ms). */
export interface LogBeginning {
  readonly revision: number;
  readonly virtual: number;
}

/** The cluster's present. */
export interface Present {
  readonly head: number;
  /** Virtual ms. */
  readonly now: number;
}

type ReadStore = Pick<LogStore, 'oldestRetained' | 'read'>;

/**
 * The revision that was the cluster's last at a time: some 17 reads of one segment each for 100,000 changes. Throws
 * ApiError 400 for what is still to come, and 410 for what is no longer retained.
 */
export async function findPoint(
  store: ReadStore,
  row: ClusterRow,
  { head, now }: Present,
  query: PointQuery,
): Promise<PastPoint> {
  if ('revision' in query) {
    if (query.revision > head) throw toCome(`revision ${query.revision}`, `its last one is ${head}`);
    return query;
  }
  const time = 'time' in query ? query.time : now - query.ago;
  if (time > now) throw toCome(new Date(time).toISOString(), `its time is ${new Date(now).toISOString()}`);
  const oldest = await store.oldestRetained(row.id);
  const begun = beginningOf(row);
  const isBefore = begun !== undefined && time < begun.virtual;
  const low = begun && !isBefore ? Math.max(begun.revision, oldest) : oldest;
  const revision = await searchRevision(store, row.id, low, isBefore ? begun.revision - 1 : head, time);
  if (revision === undefined) throw gone(`the history before ${new Date(time).toISOString()}`);
  return { revision, now: time };
}

export const gone = (what: string): ApiError =>
  new ApiError(410, 'Expired', `${what} is no longer retained: see /history for what is`);

const toCome = (what: string, present: string): ApiError =>
  new ApiError(400, 'BadRequest', `${what} of this cluster is still to come: ${present}`);

/** Since the cluster was last put back; its time may have gone back with it. */
const beginningOf = ({ settings }: ClusterRow): LogBeginning | undefined =>
  settings['begun'] as LogBeginning | undefined;

/** The last revision in [low, high] whose change is not after `time`; undefined when the first one is after it. */
async function searchRevision(
  store: ReadStore,
  id: string,
  low: number,
  high: number,
  time: number,
): Promise<number | undefined> {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((await timeOfRevision(store, id, middle)) <= time) from = middle;
    else to = middle - 1;
  }
  const isFirst = from === low && low < high;
  // Of the very first state only the change after it tells the time: what is long before it is not known.
  return isFirst && (await timeOfRevision(store, id, low + 1)) > time + FIRST_STATE_MS ? undefined : from;
}

/** How long before its first change a history may be asked for. */
const FIRST_STATE_MS = 10 * 60_000;

/** The virtual time (ms) of a revision's change; -Infinity when only its state tells it. */
export async function timeOfRevision(store: ReadStore, id: string, revision: number): Promise<number> {
  const [segment] = await store.read(id, revision - 1, 1);
  if (!segment || isReset(segment)) return -Infinity;
  const change = decodeChanges(segment.changes, segment.first).find((one) => one.revision === revision);
  return change?.at ?? -Infinity;
}
