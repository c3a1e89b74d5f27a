import { useEffect } from 'react';
import { CLUSTER_EVENTS, LIST_CLUSTERS, type Cluster } from './clusters.generated.js';
import { afterEvent, type ClusterEvent, type ClusterMap } from './clusters.js';
import { toFailure, type Failure } from './failure.js';
import { follow, request } from './graphql.js';
import { createStore, useStore } from './store.js';

export interface LiveClusters {
  readonly clusters: ClusterMap;
  readonly isReady: boolean;
  readonly failure?: Failure;
}

const PAGE = 500;
const EMPTY: LiveClusters = { clusters: new Map(), isReady: false };
const live = createStore<LiveClusters>(EMPTY);
let users = 0;
let stop: (() => void) | undefined;

/** The tenant's clusters, live: one subscription for the whole page, as long as something shows them. */
export function useClusters(): LiveClusters {
  useEffect(() => {
    if (users++ === 0) stop = followClusters();
    return () => {
      if (--users > 0) return;
      stop?.();
      live.set(EMPTY);
    };
  }, []);
  return useStore(live);
}

/** The first event, and the first after each lost connection, is that all are to be read. */
function followClusters(): () => void {
  let reading: AbortController | undefined;
  let missed: ClusterEvent[] = [];
  const readAll = async (): Promise<void> => {
    reading?.abort();
    const own = (reading = new AbortController());
    missed = [];
    try {
      const found = new Map<string, Cluster>();
      for (let cursor: string | undefined; ;) {
        const { clusters } = await request(LIST_CLUSTERS, { limit: PAGE, ...(cursor ? { cursor } : {}) }, own.signal);
        for (const cluster of clusters.items) found.set(cluster.id, cluster);
        if (!clusters.nextCursor) break;
        cursor = clusters.nextCursor;
      }
      if (own.signal.aborted) return;
      live.set({ clusters: missed.reduce<ClusterMap>(afterEvent, found), isReady: true });
    } catch (error) {
      if (!own.signal.aborted) live.set({ ...live.get(), failure: toFailure(error) });
    } finally {
      if (reading === own) reading = undefined;
    }
  };
  const end = follow(CLUSTER_EVENTS, () => ({}), {
    next: ({ clusterEvents: event }) => {
      if (event.id === null) return void readAll();
      if (reading) missed.push(event);
      live.set({ ...live.get(), clusters: afterEvent(live.get().clusters, event) });
    },
    error: (failure) => live.set({ ...live.get(), failure }),
  });
  return () => {
    reading?.abort();
    end();
  };
}
