import { createContext, useContext, type ReactNode } from 'react';
import { GET_CLUSTER, type Cluster } from '../api/clusters.generated.js';
import type { Failure } from '../api/failure.js';
import { useQuery } from '../api/graphql.js';
import { useClusters } from '../api/live-clusters.js';
import { EmptyState, ErrorNotice, Waiting } from '../parts/Notice.js';
import { t } from '../texts/texts.js';
import { useMoment } from './routing/router.js';

interface ClusterContext {
  readonly clusterId: string;
  /** The cluster as a product. */
  readonly cluster: Cluster;
  /** '' is the present. */
  readonly at: string;
}

const Context = createContext<ClusterContext | undefined>(undefined);

/** The cluster that the view is of, and the moment of it that is shown. */
export function useCluster(): ClusterContext {
  const context = useContext(Context);
  if (!context) throw new Error('useCluster() is for views of a cluster');
  return context;
}

interface LiveClusterProps {
  readonly clusterId: string;
  /** Around what is shown while there is no cluster to show. */
  frame(content: ReactNode): ReactNode;
  readonly children: ReactNode;
}

/**
 * Of a signed-in tenant: from the live list, so that a rename or a pause shows at once; the list may be long, so that
 * the cluster is read by itself, too, and what is sooner there is shown.
 */
export function LiveCluster({ clusterId, frame, children }: LiveClusterProps) {
  const { clusters, isReady, failure } = useClusters();
  const [at] = useMoment();
  const read = useRead(clusterId, isReady);
  const cluster = clusters.get(clusterId) ?? (isReady ? undefined : read.cluster);
  if (cluster) return <Context value={{ clusterId, cluster, at }}>{children}</Context>;
  if (failure) return frame(<ErrorNotice failure={failure} />);
  return frame(
    isReady ? <EmptyState icon="clusters" title={t.overview.gone} /> : <Waiting what={t.overview.waiting} />,
  );
}

/** A cluster as it is read, alone; not for who has it already. */
function useRead(clusterId: string, skip: boolean): { readonly cluster?: Cluster; readonly failure?: Failure } {
  const { data, failure } = useQuery(GET_CLUSTER, { id: clusterId }, { skip });
  return { ...(data ? { cluster: data.cluster } : {}), ...(failure ? { failure } : {}) };
}

/** Of an embedded view, whose token reads this one cluster. */
export function TokenCluster({ clusterId, children }: { readonly clusterId: string; readonly children: ReactNode }) {
  const { cluster, failure } = useRead(clusterId, false);
  const [at] = useMoment();
  if (cluster) return <Context value={{ clusterId, cluster, at }}>{children}</Context>;
  return failure ? <ErrorNotice failure={failure} /> : <Waiting what={t.overview.waiting} />;
}
