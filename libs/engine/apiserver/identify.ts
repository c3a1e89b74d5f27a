import { authenticateToken, ISSUER } from '../kinds/authentication/tokens.js';
import type { User } from '../machinery/client.js';
import type { ApiRequest } from '../machinery/http.js';
import { unauthorized } from '../machinery/status.js';
import type { Millis } from '../machinery/time.js';
import { impersonated } from './impersonate.js';
import type { Server } from './server.js';

/** A request whose maker is known. */
export type IdentifiedRequest = ApiRequest & { readonly user: User };

/**
 * Finds out who makes a request: whom the host has recognized, or whose service account token it carries, acting as whom.
 * Throws 401 for a stranger, 403 for one who may not impersonate.
 */
export function identify(server: Server, request: ApiRequest, now: Millis): IdentifiedRequest {
  const caller = request.user ?? bearer(server, request, now);
  const user = wantsToImpersonate(request.headers) ? impersonated(caller, request.headers, server.state) : caller;
  return user === request.user ? (request as IdentifiedRequest) : { ...request, user };
}

function bearer(server: Server, request: ApiRequest, now: Millis): User {
  const token = /^bearer +(\S+) *$/i.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
  const found = authenticateToken(server.writer.tokenKey, token, [ISSUER], server.state, now);
  if (typeof found === 'string') throw unauthorized();
  return found.user;
}

function wantsToImpersonate(headers: ApiRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}
