import type { Cluster, ClusterEvents } from './clusters.generated.js';

export type ClusterEvent = ClusterEvents['clusterEvents'];
export type ClusterMap = ReadonlyMap<string, Cluster>;

/** The clusters after an event; the same map when it changes nothing. */
export function afterEvent(clusters: ClusterMap, { id, cluster }: ClusterEvent): ClusterMap {
  if (id === null || (cluster === null && !clusters.has(id))) return clusters;
  const next = new Map(clusters);
  if (cluster) next.set(id, cluster);
  else next.delete(id);
  return next;
}
