import type { ServiceAccount } from '../../../api/core_v1.js';
import { base64Url } from '../../../machinery/base64.js';
import { SECOND, type Millis } from '../../../machinery/time.js';

const ISSUER = 'https://kubernetes.default.svc.cluster.local';

interface Claims {
  readonly audiences: readonly string[] | undefined;
  readonly issued: Millis;
  readonly expires: Millis;
  readonly id: string;
  readonly bound?: { readonly kind?: string; readonly name?: string; readonly uid?: string };
}

/** A token in the shape of a bound service account token, not signed: clusters accept none of them from outside. */
export function serviceAccountToken(account: ServiceAccount, { audiences, issued, expires, id, bound }: Claims): string {
  const { namespace, name, uid } = account.metadata;
  const reference = bound?.kind ? { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } } : {};
  const claims = {
    aud: audiences ?? [ISSUER],
    exp: Math.floor(expires / SECOND),
    iat: Math.floor(issued / SECOND),
    iss: ISSUER,
    jti: id,
    'kubernetes.io': { namespace, ...reference, serviceaccount: { name, uid } },
    nbf: Math.floor(issued / SECOND),
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  const part = (value: unknown): string => base64Url(JSON.stringify(value));
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${base64Url(id)}`;
}
