import type { NonResourceRule, ResourceRule } from '../../api/authorization_v1.js';
import type { ServiceAccount } from '../../api/core_v1.js';
import type { Millis } from '../time/time.js';
import type { User } from './user.js';

/** The audience and issuer of service accounts' tokens. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/**
 * What a user asks to be allowed: a verb on a resource or, with `path`, on a URL that is not a resource. Models
 * authorizer.Attributes.
 */
export interface Access {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
  /** The field selector of a list or watch: `spec.nodeName=worker-1`. */
  readonly fieldSelector?: string;
}

/** An Access of one verb; the fields that are not given are empty. */
export const makeAccess = (verb: string, fields: Partial<Access> = {}): Access => ({
  verb,
  group: '',
  resource: '',
  subresource: '',
  name: '',
  namespace: '',
  ...fields,
});

export interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** The rules of one user in one namespace. Models SubjectRulesReviewStatus. */
export interface UserRules {
  readonly resourceRules: ResourceRule[];
  readonly nonResourceRules: NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/** An object that a token is bound to. */
export interface BoundReference {
  readonly name?: string;
  readonly uid?: string;
}

export interface TokenOptions {
  readonly audiences: readonly string[];
  readonly issued: Millis;
  readonly expires: Millis;
  readonly id: string;
  readonly bound?: { readonly node?: BoundReference; readonly pod?: BoundReference; readonly secret?: BoundReference };
}

/** The user of a token, and those of the wanted audiences that the token is for. */
export interface Authenticated {
  readonly user: User;
  readonly audiences: readonly string[];
}

/**
 * The cluster's authenticator and authorizer, for the kinds that answer questions about them (reviews, token requests).
 */
export interface Auth {
  authorize(user: User, access: Access): Decision;
  rulesFor(user: User, namespace: string): UserRules;
  /** The user of a service account's token, or the reason why the token counts for nothing. */
  authenticateToken(token: string, audiences: readonly string[]): Authenticated | string;
  /** A signed token of a service account; undefined in a cluster without keys. */
  issueToken(account: ServiceAccount, options: TokenOptions): string | undefined;
}
