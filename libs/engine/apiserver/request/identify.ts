import { ISSUER } from '../../machinery/auth.js';
import { certificateUser } from '../../auth/authentication/certificates.js';
import { authenticateToken } from '../../auth/authentication/tokens.js';
import type { User } from '../../machinery/client.js';
import type { ApiRequest } from '../../machinery/http.js';
import { unauthorized } from '../../machinery/meta/status.js';
import type { Millis } from '../../machinery/time/time.js';
import { impersonated } from './impersonate.js';
import type { Server } from '../server.js';

/** A request whose maker is known. */
export type IdentifiedRequest = ApiRequest & { readonly user: User };

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Finds out who makes a request: whose client certificate it comes with, whom the host has recognized, or whose service
 * account token it carries, else nobody in particular; and acting as whom. Throws 401 for credentials that count for
 * nothing, 403 for one who may
 * not impersonate. Models apiserver/pkg/authentication/request/union.
 */
export function identify(server: Server, request: ApiRequest, now: Millis): IdentifiedRequest {
  const caller = authenticated(server, request, now);
  const user = wantsToImpersonate(request.headers) ? impersonated(caller, request, server.state) : caller;
  return user === request.user ? (request as IdentifiedRequest) : { ...request, user };
}

function authenticated(server: Server, request: ApiRequest, now: Millis): User {
  const { keys } = server.writer;
  const shown =
    keys && request.clientCertificate ? certificateUser(keys.authority, request.clientCertificate, now) : undefined;
  if (typeof shown === 'object') return shown;
  if (request.user) return request.user;
  const [scheme = '', token] = (request.headers['authorization'] ?? '').trim().split(' ', 3);
  if (scheme.toLowerCase() === 'bearer' && token) {
    const found = authenticateToken(keys?.tokens, token, [ISSUER], server.state, now);
    if (typeof found === 'string') throw unauthorized();
    return found.user;
  }
  if (shown !== undefined) throw unauthorized();
  return ANONYMOUS;
}

function wantsToImpersonate(headers: ApiRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}
