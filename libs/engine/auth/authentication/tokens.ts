import type { Secret, ServiceAccount } from '../../api/core_v1.js';
import { decodeBase64Text } from '../../machinery/base64.js';
import { ISSUER, type Authenticated, type BoundReference, type TokenOptions } from '../../machinery/auth.js';
import type { Reader, User } from '../../machinery/client.js';
import type { Claims, TokenKey } from '../../machinery/crypto/token-key.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Secrets } from '../../kinds/core/secret/kind.js';
import { kind as ServiceAccounts } from '../../kinds/core/serviceaccount/kind.js';
import { serviceAccountGroups, serviceAccountUser } from './serviceaccounts.js';

const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const LEGACY = 'kubernetes.io/serviceaccount/';
const INVALIDATED = 'service account token has been invalidated';
/** Upstream accepts tokens for this long after their account or pod was deleted. */
const DELETION_LEEWAY: Millis = 60 * SECOND;

/** The claims of a bound token. Models pkg/serviceaccount/claims.go. */
interface BoundClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly nbf: number;
  readonly sub: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly node?: BoundReference;
    readonly pod?: BoundReference;
    readonly secret?: BoundReference;
    readonly serviceaccount: BoundReference;
  };
}

/** A JWT for a service account, bound to it and to the object that `bound` names. */
export function issueBoundToken(
  key: TokenKey,
  account: ServiceAccount,
  { audiences, issued, expires, id, bound = {} }: TokenOptions,
): string {
  const { namespace = '', name = '', uid } = account.metadata;
  const claims: BoundClaims = {
    aud: audiences,
    exp: Math.floor(expires / SECOND),
    iat: Math.floor(issued / SECOND),
    iss: ISSUER,
    jti: id,
    'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid } },
    nbf: Math.floor(issued / SECOND),
    sub: serviceAccountUser(namespace, name),
  };
  return key.sign({ ...claims });
}

/** The token of a Secret of type kubernetes.io/service-account-token: it does not expire. */
export function issueLegacyToken(key: TokenKey, account: ServiceAccount, secret: Secret): string {
  const { namespace = '', name = '', uid } = account.metadata;
  return key.sign({
    iss: LEGACY_ISSUER,
    [`${LEGACY}namespace`]: namespace,
    [`${LEGACY}secret.name`]: secret.metadata.name,
    [`${LEGACY}service-account.name`]: name,
    [`${LEGACY}service-account.uid`]: uid,
    sub: serviceAccountUser(namespace, name),
  });
}

/**
 * The user of a service account's token, or the reason why the token is refused. Checks signature, times and audience,
 * and that the account and the bound object still exist. Models pkg/serviceaccount jwt.go and claims.go Validate.
 */
export function authenticateToken(
  key: TokenKey | undefined,
  token: string,
  audiences: readonly string[],
  read: Reader,
  now: Millis,
): Authenticated | string {
  const claims = key?.verify(token);
  if (!claims) return 'invalid bearer token';
  if (claims['iss'] === LEGACY_ISSUER) return authenticateLegacy(claims, token, audiences, read);
  return authenticateBound(claims as unknown as BoundClaims, audiences, read, now);
}

const isDeleted = (object: KubeObject, now: Millis): boolean =>
  object.metadata.deletionTimestamp !== undefined &&
  Date.parse(object.metadata.deletionTimestamp) + DELETION_LEEWAY < now;

const isInvalidated = (object: KubeObject | undefined, { uid }: BoundReference, now: Millis): boolean =>
  !object || object.metadata.uid !== uid || isDeleted(object, now);

function authenticateBound(
  claims: BoundClaims,
  wanted: readonly string[],
  read: Reader,
  now: Millis,
): Authenticated | string {
  const audiences = claims.aud.filter((a) => wanted.includes(a));
  if (audiences.length === 0)
    return `token audiences ${JSON.stringify(claims.aud).replaceAll(',', ' ')} is invalid for the target audiences ${JSON.stringify(wanted).replaceAll(',', ' ')}`;
  if (now >= claims.exp * SECOND) return 'service account token has expired';
  if (now < claims.nbf * SECOND) return 'service account token is not valid yet';
  const { namespace, serviceaccount, pod, secret, node } = claims['kubernetes.io'];
  const account = read.get(ServiceAccounts, { namespace, name: serviceaccount.name ?? '' });
  if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
  if (isDeleted(account, now)) return 'service account has been deleted';
  if (account.metadata.uid !== serviceaccount.uid)
    return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
  if (pod && isInvalidated(read.get(Pods, { namespace, name: pod.name ?? '' }), pod, now)) return INVALIDATED;
  if (secret && isInvalidated(read.get(Secrets, { namespace, name: secret.name ?? '' }), secret, now))
    return INVALIDATED;
  if (node && !pod && isInvalidated(read.get(Nodes, { namespace: '', name: node.name ?? '' }), node, now))
    return INVALIDATED;
  const extra: Record<string, string[]> = { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] };
  for (const [what, reference] of [
    ['node', node],
    ['pod', pod],
  ] as const) {
    if (!reference) continue;
    extra[`authentication.kubernetes.io/${what}-name`] = [reference.name ?? ''];
    if (reference.uid) extra[`authentication.kubernetes.io/${what}-uid`] = [reference.uid];
  }
  return { user: userOf(account, extra), audiences };
}

function authenticateLegacy(
  claims: Claims,
  token: string,
  wanted: readonly string[],
  read: Reader,
): Authenticated | string {
  const text = (claim: string): string => String(claims[LEGACY + claim] ?? '');
  if (!wanted.includes(ISSUER)) return 'token audiences are invalid for the target audiences';
  const namespace = text('namespace');
  const secret = read.get(Secrets, { namespace, name: text('secret.name') });
  if (
    !secret ||
    secret.metadata.deletionTimestamp !== undefined ||
    decodeBase64Text(secret.data?.['token'] ?? '') !== token
  )
    return INVALIDATED;
  const account = read.get(ServiceAccounts, { namespace, name: text('service-account.name') });
  if (!account || account.metadata.uid !== text('service-account.uid')) return INVALIDATED;
  return { user: userOf(account), audiences: [ISSUER] };
}

function userOf(account: ServiceAccount, extra?: User['extra']): User {
  const { namespace = '', name = '', uid } = account.metadata;
  return {
    name: serviceAccountUser(namespace, name),
    groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
    uid,
    ...(extra ? { extra } : {}),
  };
}
