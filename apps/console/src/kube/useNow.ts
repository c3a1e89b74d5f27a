import { useEffect, useState } from 'react';
import { useQuery } from '../api/graphql.js';
import { useCluster } from '../app/cluster-context.js';
import { READ_RATE } from './operations.generated.js';
import type { TableState } from './table-state.js';

const TICK_MS = 1_000;

/** The time (virtual ms) of the cluster shown, each second anew; undefined in the past and until it is told. */
export function useNow(time: TableState['time']): number | undefined {
  const { clusterId, cluster, at } = useCluster();
  const isPaused = cluster.state === 'paused';
  const isLive = at === '';
  const { data } = useQuery(READ_RATE, { clusterId }, { skip: !isLive });
  const [, setTurn] = useState(0);
  useEffect(() => {
    if (!isLive || isPaused) return;
    const timer = setInterval(() => setTurn((turn) => turn + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isLive, isPaused]);
  if (!time || !isLive) return undefined;
  return time.virtual + (isPaused ? 0 : (performance.now() - time.real) * (data?.clock.rate ?? 1));
}
