import { ISSUER, type Authenticated } from '../../machinery/requests/auth.js';
import type { Reader } from '../../machinery/client.js';
import type { TokenKey } from '../../machinery/crypto/token-key.js';
import type { Millis } from '../../machinery/time/time.js';
import { authenticateBootstrapToken } from './bootstrap-tokens.js';
import { authenticateBoundToken } from './bound-tokens.js';
import { authenticateLegacyToken, isLegacy } from './legacy-tokens.js';

const INVALID = 'invalid bearer token';

/**
 * The user of a service account's token or of a bootstrap token, or the reason why it is refused. Checks signature,
 * times and audience, and that the account and the bound object still exist. Models pkg/serviceaccount/jwt.go;
 * bootstrap tokens are for the API server's own audience (authenticator.WrapAudienceAgnosticToken).
 */
export function authenticateToken(
  key: TokenKey | undefined,
  token: string,
  targetAudiences: readonly string[],
  read: Reader,
  now: Millis,
): Authenticated | string {
  const claims = key?.verify(token);
  if (!claims) {
    const user = targetAudiences.includes(ISSUER) ? authenticateBootstrapToken(token, read, now) : undefined;
    return user ? { user, audiences: [ISSUER] } : INVALID;
  }
  return isLegacy(claims)
    ? authenticateLegacyToken(claims, token, targetAudiences, read)
    : authenticateBoundToken(claims, targetAudiences, read, now);
}
