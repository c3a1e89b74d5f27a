import type { ClusterHost } from '@terrarium/host';
import type { Clusters, Identity } from '@terrarium/platform';
import type { Gate } from '../gate/gate.js';
import type { ClusterRoots } from './cluster-url.js';

/** What serves the clusters' Kubernetes APIs. */
export interface ClusterApi {
  readonly gate: Gate;
  readonly host: ClusterHost;
  readonly identity: Identity;
  readonly clusters: Clusters;
  readonly roots: ClusterRoots;
  /** Header in which a proxy that ends TLS passes on the client's certificate. */
  readonly clientCertificateHeader?: string;
}
