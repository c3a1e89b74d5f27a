import { ISSUER } from '../../machinery/requests/auth.js';
import { authenticateCertificate } from '../../auth/authentication/certificates.js';
import { authenticateToken } from '../../auth/authentication/tokens.js';
import type { Reader, User } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { ApiRequest } from '../../machinery/requests/http.js';
import { unauthorized } from '../../machinery/meta/status.js';
import type { Millis } from '../../machinery/time/time.js';
import { apiServerOf } from '../../kinds/terrarium/noderuntime/api-server.js';
import { impersonate } from './impersonate.js';
import type { RequestInfo } from './requestinfo.js';

/** A request with its user. */
export type IdentifiedRequest = ApiRequest & { readonly user: User };

/** The parts of a Server that know its users. */
interface Authenticator {
  readonly state: Reader;
  readonly writer: { readonly keys?: ClusterKeys | undefined };
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Finds a request's user: of its client certificate, as the host has authenticated it, or of its service account token;
 * else system:anonymous. Then the user that it impersonates. Throws 401 for invalid credentials, 400 and 403 from
 * impersonation. Models apiserver/pkg/authentication/request/union.
 */
export function identify(
  server: Authenticator,
  request: ApiRequest,
  info: RequestInfo,
  now: Millis,
): IdentifiedRequest {
  const caller = authenticate(server, request, now);
  const user = impersonate(caller, request.headers, info, server.state);
  return user === request.user ? (request as IdentifiedRequest) : { ...request, user };
}

/** The user that a request comes from, whomever it impersonates. Throws 401. */
export function authenticate({ state, writer: { keys } }: Authenticator, request: ApiRequest, now: Millis): User {
  const { clientCertificate } = request;
  const holder = keys && clientCertificate && authenticateCertificate(keys.authority, clientCertificate, now);
  if (typeof holder === 'object') return holder;
  if (request.user) return request.user;
  const token = bearerToken(request.headers['authorization']);
  if (token) {
    const result = authenticateToken(keys?.tokens, token, [ISSUER], state, now);
    if (typeof result === 'string') throw unauthorized();
    return result.user;
  }
  if (holder !== undefined) throw unauthorized();
  if (apiServerOf(state)?.anonymous === false) throw unauthorized();
  return ANONYMOUS;
}

/** Models apiserver/pkg/authentication/request/bearertoken. */
function bearerToken(authorization = ''): string | undefined {
  const [scheme = '', token] = authorization.trim().split(' ', 3);
  return scheme.toLowerCase() === 'bearer' ? token : undefined;
}
