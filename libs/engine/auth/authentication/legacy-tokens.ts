import type { Secret, ServiceAccount } from '../../api/core_v1.js';
import { ISSUER, type Authenticated } from '../../machinery/requests/auth.js';
import { decodeBase64Text } from '../../machinery/text/base64.js';
import type { Reader } from '../../machinery/client.js';
import type { Claims, TokenKey } from '../../machinery/crypto/token-key.js';
import { kind as Secrets } from '../../kinds/core/secret/kind.js';
import { kind as ServiceAccounts } from '../../kinds/core/serviceaccount/kind.js';
import { INVALIDATED } from './bound-tokens.js';
import { serviceAccountUser, userOfServiceAccount } from './serviceaccounts.js';

const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const CLAIM_PREFIX = 'kubernetes.io/serviceaccount/';

export const isLegacy = (claims: Claims): boolean => claims['iss'] === LEGACY_ISSUER;

/**
 * The token of a Secret of type kubernetes.io/service-account-token: it does not expire. Models
 * pkg/serviceaccount/legacy.go LegacyClaims.
 */
export function issueLegacyToken(key: TokenKey, account: ServiceAccount, secret: Secret): string {
  const { namespace = '', name = '', uid } = account.metadata;
  return key.sign({
    iss: LEGACY_ISSUER,
    [`${CLAIM_PREFIX}namespace`]: namespace,
    [`${CLAIM_PREFIX}secret.name`]: secret.metadata.name,
    [`${CLAIM_PREFIX}service-account.name`]: name,
    [`${CLAIM_PREFIX}service-account.uid`]: uid,
    sub: serviceAccountUser(namespace, name),
  });
}

/** The user of verified claims, or the reason why they are refused. Models pkg/serviceaccount/legacy.go Validate. */
export function authenticateLegacyToken(
  claims: Claims,
  token: string,
  targetAudiences: readonly string[],
  read: Reader,
): Authenticated | string {
  const claim = (name: string): string => String(claims[CLAIM_PREFIX + name] ?? '');
  if (!targetAudiences.includes(ISSUER)) return 'token audiences are invalid for the target audiences';
  const namespace = claim('namespace');
  const secret = read.get(Secrets, { namespace, name: claim('secret.name') });
  if (!secret || secret.metadata.deletionTimestamp !== undefined) return INVALIDATED;
  if (decodeBase64Text(secret.data?.['token'] ?? '') !== token) return INVALIDATED;
  const account = read.get(ServiceAccounts, { namespace, name: claim('service-account.name') });
  if (!account || account.metadata.uid !== claim('service-account.uid')) return INVALIDATED;
  return { user: userOfServiceAccount(account), audiences: [ISSUER] };
}
