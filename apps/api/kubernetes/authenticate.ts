import type { IncomingMessage } from 'node:http';
import { ApiError, parseBootstrapToken } from '@terrarium/engine';
import { clusterNotFound } from '@terrarium/host';
import { userOf, type Caller, type Principal } from '@terrarium/platform';
import type { Identified } from '../gate/request-context.js';
import { clientCertificateOf } from './client-certificate.js';
import type { ClusterApi } from './cluster-api.js';

const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized');

/**
 * The holder of a key or of a cluster's token is a user whom the token names, by default the administrator. Any other
 * client must show a certificate or a token that the cluster has signed, or what looks like a bootstrap token, and is
 * authenticated by the cluster; else it is not told whether there is such a cluster. Rejects with ApiError 401 and 404.
 */
export async function authenticate(
  {
    identity,
    clusters,
    clientCertificateHeader,
  }: Pick<ClusterApi, 'identity' | 'clusters' | 'clientCertificateHeader'>,
  id: string,
  raw: IncomingMessage,
  { authorization = raw.headers.authorization, isOutside = false, door }: Credentials = {},
): Promise<Identified> {
  const shown = clientCertificateOf(raw, clientCertificateHeader);
  const clientCertificate = shown && (await identity.isIssuedByCluster(shown, id)) ? shown.raw : undefined;
  const caller = callerOf(await identity.identify(authorization, door), id);
  const tenantId = await clusters.tenantOf(id);
  if (caller && caller.tenantId === tenantId)
    return { principal: caller, tenantId, clusterId: id, user: userOf(caller), clientCertificate };
  if (clientCertificate || (await identity.isSignedByCluster(authorization, id)))
    return { principal: undefined, tenantId, clusterId: id, user: undefined, clientCertificate };
  if (showsBootstrapToken(authorization) && tenantId !== '')
    return { principal: undefined, tenantId, clusterId: id, user: undefined, clientCertificate: undefined };
  if (isOutside && authorization === undefined && !shown && tenantId !== '')
    return { principal: undefined, tenantId, clusterId: id, user: undefined, clientCertificate: undefined };
  throw caller ? clusterNotFound(id) : unauthorized();
}

/** Only the cluster's Secrets tell whether it is one. */
export const showsBootstrapToken = (authorization = ''): boolean =>
  parseBootstrapToken(/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '') !== undefined;

export interface Credentials {
  /** By default the request's. */
  readonly authorization?: string | undefined;
  /** It is for something in the cluster, which may be everybody's: its RBAC knows system:anonymous. */
  readonly isOutside?: boolean;
  /** The place in it that the host names: of a link's token the only one that it opens. */
  readonly door?: string | undefined;
}

/** Undefined for the operator, who reaches no cluster, and for the holder of another cluster's token. */
function callerOf(principal: Principal | undefined, id: string): Caller | undefined {
  if (principal === undefined || principal.kind === 'operator') return undefined;
  return principal.clusterId === undefined || principal.clusterId === id ? principal : undefined;
}
