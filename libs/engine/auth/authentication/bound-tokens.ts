import type { ServiceAccount } from '../../api/core_v1.js';
import { ISSUER, type Authenticated, type BoundReference, type TokenOptions } from '../../machinery/requests/auth.js';
import type { Reader, User } from '../../machinery/client.js';
import type { Claims, TokenKey } from '../../machinery/crypto/token-key.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Secrets } from '../../kinds/core/secret/kind.js';
import { kind as ServiceAccounts } from '../../kinds/core/serviceaccount/kind.js';
import { serviceAccountUser, userOfServiceAccount } from './serviceaccounts.js';

export const INVALIDATED = 'service account token has been invalidated';
/** Upstream accepts tokens for this long after their account or bound object was deleted. */
const DELETION_LEEWAY: Millis = 60 * SECOND;

/** The claims of a token that TokenRequest issues; times are in seconds. Models pkg/serviceaccount/claims.go. */
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

/** A JWT for a service account, bound to it and to the objects that `bound` names. */
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

/** How far clocks may be apart: go-jose's DefaultLeeway. */
const LEEWAY = 60 * SECOND;

/** The user of verified claims, or the reason why they are refused. Models pkg/serviceaccount/claims.go Validate. */
export function authenticateBoundToken(
  verified: Claims,
  targetAudiences: readonly string[],
  read: Reader,
  now: Millis,
): Authenticated | string {
  const claims = verified as unknown as BoundClaims;
  const audiences = claims.aud.filter((audience) => targetAudiences.includes(audience));
  if (audiences.length === 0)
    return `token audiences ${goList(claims.aud)} is invalid for the target audiences ${goList(targetAudiences)}`;
  if (now - LEEWAY > claims.exp * SECOND) return 'service account token has expired';
  if (now + LEEWAY < claims.nbf * SECOND) return 'service account token is not valid yet';
  const { namespace, serviceaccount } = claims['kubernetes.io'];
  const account = read.get(ServiceAccounts, { namespace, name: serviceaccount.name ?? '' });
  if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
  if (isDeleted(account, now)) return 'service account has been deleted';
  if (account.metadata.uid !== serviceaccount.uid)
    return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
  if (!boundObjectsExist(claims, read, now)) return INVALIDATED;
  return { user: userOfServiceAccount(account, extraOf(claims)), audiences };
}

/** Go's %q of a list of strings, as far as audiences need it. */
const goList = (list: readonly string[]): string => JSON.stringify(list).replaceAll(',', ' ');

function boundObjectsExist({ 'kubernetes.io': bound }: BoundClaims, read: Reader, now: Millis): boolean {
  const { namespace, pod, secret, node } = bound;
  const exists = (object: KubeObject | undefined, { uid }: BoundReference): boolean =>
    object !== undefined && object.metadata.uid === uid && !isDeleted(object, now);
  if (pod && !exists(read.get(Pods, { namespace, name: pod.name ?? '' }), pod)) return false;
  if (secret && !exists(read.get(Secrets, { namespace, name: secret.name ?? '' }), secret)) return false;
  // The node of a pod's token is where the pod runs; the token is bound to the pod.
  return !node || pod !== undefined || exists(read.get(Nodes, { namespace: '', name: node.name ?? '' }), node);
}

const isDeleted = ({ metadata: { deletionTimestamp } }: KubeObject, now: Millis): boolean =>
  deletionTimestamp !== undefined && Date.parse(deletionTimestamp) + DELETION_LEEWAY < now;

function extraOf({ jti, 'kubernetes.io': { node, pod } }: BoundClaims): User['extra'] {
  return {
    'authentication.kubernetes.io/credential-id': [`JTI=${jti}`],
    ...(node ? referenceExtra('node', node) : {}),
    ...(pod ? referenceExtra('pod', pod) : {}),
  };
}

const referenceExtra = (resource: 'node' | 'pod', { name = '', uid }: BoundReference): User['extra'] => ({
  [`authentication.kubernetes.io/${resource}-name`]: [name],
  ...(uid ? { [`authentication.kubernetes.io/${resource}-uid`]: [uid] } : {}),
});
