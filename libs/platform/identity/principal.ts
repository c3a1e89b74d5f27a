import type { User } from '@terrarium/engine';
import type { Scope, TenantScope } from './scope.js';

/** The operator of the service: the holder of its key. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly scope: 'operate';
  /** Of a browser's session. */
  readonly sessionId?: string;
  /** Real ms since the epoch; none for the key itself, unless it ends. */
  readonly expiresAt?: number;
  readonly tenantId?: undefined;
  readonly userId?: undefined;
  readonly userName?: undefined;
  readonly clusterId?: undefined;
  readonly subject?: undefined;
}

/** The holder of a key: a user of one tenant. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly tenantId: string;
  readonly userId: string;
  readonly userName: string;
  readonly keyId: string;
  /** Of a browser's session, which the key has signed in. */
  readonly sessionId?: string;
  readonly scope: TenantScope;
  /** Real ms since the epoch; none for a key without an end. */
  readonly expiresAt?: number;
  readonly clusterId?: undefined;
  readonly subject?: undefined;
}

/** The user and groups as whom a token's holder is known inside its cluster. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The holder of a token: a user of one tenant for one cluster only. */
export interface TokenPrincipal {
  readonly kind: 'token';
  readonly tenantId: string;
  /** The user who has made the token. */
  readonly userId: string;
  readonly userName: string;
  readonly tokenId: string;
  readonly scope: Extract<TenantScope, 'read' | 'use'>;
  readonly clusterId: string;
  /** Real ms since the epoch. */
  readonly expiresAt: number;
  /** None for the cluster's administrator. */
  readonly subject?: Subject;
  /** The one place of the cluster that it opens, as its host names it: "80.web.shop.svc". None: all of it. */
  readonly door?: string;
}

/** Who makes a request, as Identity.identify has found out. */
export type Principal = OperatorPrincipal | KeyPrincipal | TokenPrincipal;

/** A principal of a tenant. */
export type Caller = KeyPrincipal | TokenPrincipal;

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
/** The key of User.extra in which the authorizer of a cluster finds a scope that limits its user. */
const SCOPES_EXTRA = 'scopes.authorization.terrarium.dev';

/**
 * The user of the cluster's Kubernetes API: its administrator, or the subject of a token, whom RBAC holds. A scope of
 * `read` goes with it, and the cluster's authorizer refuses every verb that is not a reading one.
 */
export function userOf({ scope, subject }: { readonly scope: Scope; readonly subject?: Subject }): User {
  const user = subject ? { name: subject.user, groups: [...subject.groups, 'system:authenticated'] } : ADMIN;
  return scope === 'read' ? { ...user, extra: { [SCOPES_EXTRA]: ['read'] } } : user;
}
