/**
 * What a key or a token may be used for. Each tenant's scope includes the one before it:
 *
 * - `read`: reads everything of the tenant's clusters (REST GET, GraphQL queries and subscriptions, Kubernetes get,
 *   list and watch);
 * - `use`: writes in clusters too, and creates, changes and deletes clusters;
 * - `manage`: makes and revokes users and keys too.
 *
 * `operate` is the operator's: it looks after tenants, and reaches nothing inside of them.
 */
export const SCOPES = ['read', 'use', 'manage'] as const;
export type TenantScope = (typeof SCOPES)[number];
export type Scope = TenantScope | 'operate';

/**
 * What a request does: reads, writes (in a cluster, or clusters themselves), administers (users and keys), operates
 * (tenants), or signs a browser in and out.
 */
export type Action = 'read' | 'write' | 'administer' | 'operate' | 'sign in';

const ACTIONS: Readonly<Record<Scope, readonly Action[]>> = {
  read: ['sign in', 'read'],
  use: ['sign in', 'read', 'write'],
  manage: ['sign in', 'read', 'write', 'administer'],
  operate: ['sign in', 'operate'],
};

/**
 * The scope suffices for the action. Every edge asks this and nothing else: `allows(principal.scope,
 * actionOfRest(method, path))`; for GraphQL a query or subscription is `read`, a mutation `write`. Requests to a
 * cluster's Kubernetes API need no question: userOf() hands the scope to the cluster's own authorizer, which answers
 * 403 in upstream's words.
 */
export const allows = (scope: Scope, action: Action): boolean => ACTIONS[scope].includes(action);

/** A key of scope `by` may give away `scope`: no key makes a mightier one. */
export const includes = (by: Scope, scope: Scope): boolean => ACTIONS[scope].every((action) => allows(by, action));

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** The action of a request to /v1; `path` is the URL's, without its query. */
export function actionOfRest(method: string, path: string): Action {
  if (isBelow(path, '/v1/session')) return 'sign in';
  if (isBelow(path, '/v1/operator')) return 'operate';
  if (isBelow(path, '/v1/users') || isBelow(path, '/v1/keys')) return 'administer';
  return READING.has(method) ? 'read' : 'write';
}
