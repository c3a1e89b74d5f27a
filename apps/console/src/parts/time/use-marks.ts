import { useEffect, useState } from 'react';
import { request } from '../../api/graphql.js';
import { toFailure, type Failure } from '../../api/failure.js';
import { addEntries, NOTHING, type Recorded } from './marks.js';
import { READ_MARKS, READ_WARNINGS } from './operations.generated.js';

const READ_MS = 15_000;
/** What somebody came for is asked for first. */
const FIRST_MS = 600;
/** Of 500 entries each: what lies further back is not shown. */
const MAX_PAGES = 6;

interface WarningEvent {
  readonly metadata: { readonly creationTimestamp: string };
  readonly eventTime?: string | null;
  readonly lastTimestamp?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** What is marked on the bar, of all the history that is retained; what is new is read every few seconds. */
export function useMarks(id: string): { readonly recorded: Recorded; readonly failure: Failure | undefined } {
  const [recorded, setRecorded] = useState<Recorded>(NOTHING);
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    let known = NOTHING;
    let isLeft = false;
    const read = async (): Promise<void> => {
      const { objects } = await request(READ_WARNINGS, { id });
      const after = known.users[0]?.revision ?? 0;
      let before: number | undefined;
      for (let page = 0; page < MAX_PAGES && !isLeft; page++) {
        const { timeline, faults } = await request(READ_MARKS, {
          id,
          ...(after > 0 ? { after } : {}),
          ...(before === undefined ? {} : { before }),
        });
        const warnings = (objects.items as readonly WarningEvent[]).map((one) => ({
          at: Date.parse(one.eventTime ?? one.lastTimestamp ?? one.metadata.creationTimestamp),
          text: `${one.reason ?? ''}: ${one.message ?? ''}`,
        }));
        known = addEntries(known, { users: timeline.entries, faults: faults.entries, warnings });
        before = timeline.before ?? undefined;
        if (before === undefined) break;
      }
      if (isLeft) return;
      setFailure(undefined);
      setRecorded(known);
    };
    const turn = (): void => void read().catch((error: unknown) => isLeft || setFailure(toFailure(error)));
    const first = setTimeout(turn, FIRST_MS);
    const timer = setInterval(turn, READ_MS);
    return () => {
      isLeft = true;
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [id]);
  return { recorded, failure };
}
