import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request, useSubscription } from '../../api/graphql.js';
import { READ_CLOCK, CLOCK_CHANGES, UPDATE_CLOCK, type Clock } from './operations.generated.js';

export interface ClockState {
  readonly clock: Clock | undefined;
  readonly failure: Failure | undefined;
  update(patch: Partial<Clock>): void;
}

/** How the time of a cluster runs, live, and its wheel. */
export function useClock(id: string): ClockState {
  const [clock, setClock] = useState<Clock>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    request(READ_CLOCK, { id }).then(
      (answer) => setClock(answer.clock),
      (error: unknown) => setFailure(toFailure(error)),
    );
  }, [id]);
  useSubscription(
    CLOCK_CHANGES,
    () => ({ id }),
    ({ changes: { object } }) => {
      const {
        rate = 1,
        paused = false,
        asFastAsPossible = false,
      } = (object as { readonly spec?: Partial<Clock> }).spec ?? {};
      setClock({ rate, paused, asFastAsPossible });
    },
    { key: id },
  );
  const update = (patch: Partial<Clock>): void =>
    void request(UPDATE_CLOCK, { id, patch }).then(
      ({ updateClock }) => {
        setFailure(undefined);
        setClock(updateClock);
      },
      (error: unknown) => setFailure(toFailure(error)),
    );
  return { clock, failure, update };
}
