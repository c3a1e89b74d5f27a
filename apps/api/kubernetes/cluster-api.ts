import type { IncomingMessage } from 'node:http';
import type { ClusterHost } from '@terrarium/host';
import type { Clusters, Identity } from '@terrarium/platform';
import type { ClusterUrl } from './cluster-url.js';

/** What serves the clusters' Kubernetes APIs. */
export interface ClusterApi {
  readonly host: ClusterHost;
  readonly identity: Identity;
  readonly clusters: Clusters;
  /** Header in which a proxy that ends TLS passes on the client's certificate. */
  readonly clientCertificateHeader?: string;
}

/** A request to one cluster's API server. */
export interface ClusterRequest {
  readonly url: ClusterUrl;
  readonly raw: IncomingMessage;
  readonly body?: Uint8Array;
}
