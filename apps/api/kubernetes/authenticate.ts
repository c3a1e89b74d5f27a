import { ApiError, type ApiResponse, type User } from '@terrarium/engine';
import { clusterNotFound, statusResponse } from '@terrarium/host';
import { clientCertificateOf } from './client-certificate.js';
import type { ClusterApi, ClusterRequest } from './cluster-api.js';

const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const UNAUTHORIZED = new ApiError(401, 'Unauthorized', 'Unauthorized');

/** The administrator; or, without a user, a client whom the cluster authenticates by its certificate or token. */
export interface AuthenticatedClient {
  readonly user: User | undefined;
  /** DER. */
  readonly certificate: Uint8Array | undefined;
}

/**
 * The holder of a key or a kubeconfig's token is the cluster's administrator. Any other client must show a certificate
 * or a token that the cluster has signed; else it is not told whether there is such a cluster.
 */
export async function authenticate(
  {
    identity,
    clusters,
    clientCertificateHeader,
  }: Pick<ClusterApi, 'identity' | 'clusters' | 'clientCertificateHeader'>,
  { url: { id }, raw }: Pick<ClusterRequest, 'url' | 'raw'>,
): Promise<AuthenticatedClient | { readonly refusal: ApiResponse }> {
  const { authorization } = raw.headers;
  const shown = clientCertificateOf(raw, clientCertificateHeader);
  const certificate = shown && (await identity.isIssuedByCluster(shown, id)) ? shown.raw : undefined;
  const caller = await identity.clusterCaller(authorization, id);
  const user = caller && (await clusters.owns(caller, id)) ? ADMIN : undefined;
  if (user || certificate || (await identity.isSignedByCluster(authorization, id))) return { user, certificate };
  return { refusal: statusResponse(caller ? clusterNotFound(id) : UNAUTHORIZED) };
}
