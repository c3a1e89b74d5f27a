import type { Authenticated } from '../../machinery/requests/auth.js';
import type { Reader } from '../../machinery/client.js';
import type { TokenKey } from '../../machinery/crypto/token-key.js';
import type { Millis } from '../../machinery/time/time.js';
import { authenticateBoundToken } from './bound-tokens.js';
import { authenticateLegacyToken, isLegacy } from './legacy-tokens.js';

/**
 * The user of a service account's token, or the reason why the token is refused. Checks signature, times and audience,
 * and that the account and the bound object still exist. Models pkg/serviceaccount/jwt.go.
 */
export function authenticateToken(
  key: TokenKey | undefined,
  token: string,
  targetAudiences: readonly string[],
  read: Reader,
  now: Millis,
): Authenticated | string {
  const claims = key?.verify(token);
  if (!claims) return 'invalid bearer token';
  return isLegacy(claims)
    ? authenticateLegacyToken(claims, token, targetAudiences, read)
    : authenticateBoundToken(claims, targetAudiences, read, now);
}
