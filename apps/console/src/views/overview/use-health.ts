import { useEffect, useState } from 'react';
import type { Failure } from '../../api/failure.js';
import { follow } from '../../api/graphql.js';
import { FOLLOW_PICTURE } from '../picture/model/operations.generated.js';
import { World } from '../picture/model/world.js';
import { capacityOf, illsOf, Lasting, talliesOf, type Capacity, type Ill, type Tally } from './health.js';

/** Words are read, not watched. */
const TOLD_MS = 300;
const GRACE_MS = 2_000;

export interface Health {
  readonly ills: readonly Ill[];
  readonly tallies: readonly Tally[];
  readonly capacity: Capacity;
}

/** What is not well in a cluster, live or at a moment; undefined before all of it is known. */
export function useHealth(clusterId: string, at: string): { readonly health?: Health; readonly failure?: Failure } {
  const [state, setState] = useState<{ health?: Health; failure?: Failure }>({});
  useEffect(() => {
    const world = new World();
    let lasting = new Lasting(GRACE_MS);
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState({});
    const tell = (): void => {
      timer = undefined;
      if (world.left !== 0) return;
      const now = performance.now();
      setState({
        health: { ills: lasting.tell(illsOf(world), now), tallies: talliesOf(world), capacity: capacityOf(world) },
      });
      if (lasting.isWaiting(now)) timer = setTimeout(tell, GRACE_MS / 2);
    };
    const stop = follow(FOLLOW_PICTURE, () => ({ id: clusterId, ...(at ? { at } : {}) }), {
      next: ({ pictureChanges }) => {
        if (pictureChanges.begins) lasting = new Lasting(GRACE_MS);
        world.apply(pictureChanges);
        timer ??= setTimeout(tell, pictureChanges.begins ? 0 : TOLD_MS);
      },
      error: (failure) => setState((last) => ({ ...last, failure })),
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [clusterId, at]);
  return state;
}
