import { operation } from './operation.js';

/** A cluster as a product, as /v1/clusters and GraphQL give it. */
export interface Cluster {
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'paused' | 'halted';
  readonly haltedBecause?: string | null;
  readonly template: string;
  readonly speed: string;
  readonly version: string;
  readonly nodes: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly revision: number;
  readonly bytes: number;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt?: string | null;
  readonly idleTimeout?: string | null;
  readonly forkedFrom?: { readonly clusterId: string; readonly revision: number } | null;
  readonly server: string;
}

const FIELDS = `id name state haltedBecause template speed version nodes labels revision bytes createdAt lastUsedAt
  expiresAt idleTimeout forkedFrom { clusterId revision } server`;

export const LIST_CLUSTERS = operation<
  { clusters: { items: Cluster[]; nextCursor: string | null } },
  { limit: number; cursor?: string }
>(
  `query Clusters($limit: Int, $cursor: String) { clusters(limit: $limit, cursor: $cursor) { items { ${FIELDS} } nextCursor } }`,
);

export const GET_CLUSTER = operation<{ cluster: Cluster }, { id: string }>(
  `query Cluster($id: ID!) { cluster(id: $id) { ${FIELDS} } }`,
);

export interface ClusterEvent {
  readonly id: string | null;
  readonly cluster: Cluster | null;
}

export const CLUSTER_EVENTS = operation<{ clusterEvents: ClusterEvent }>(
  `subscription ClusterEvents { clusterEvents { id cluster { ${FIELDS} } } }`,
);

export type ClusterMap = ReadonlyMap<string, Cluster>;

/** The clusters after an event; the same map when it changes nothing. */
export function afterEvent(clusters: ClusterMap, { id, cluster }: ClusterEvent): ClusterMap {
  if (id === null || (cluster === null && !clusters.has(id))) return clusters;
  const next = new Map(clusters);
  if (cluster) next.set(id, cluster);
  else next.delete(id);
  return next;
}
