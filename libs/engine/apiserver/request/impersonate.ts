import type { LRUCache } from 'lru-cache';
import { growingCache } from '../../machinery/cache.js';
import { type Access, makeAccess } from '../../machinery/requests/auth.js';
import { authorize } from '../../auth/authorization/authorizer.js';
import { serviceAccountGroups, splitServiceAccount } from '../../auth/authentication/serviceaccounts.js';
import type { Reader, User } from '../../machinery/client.js';
import type { ApiRequest } from '../../machinery/requests/http.js';
import { badRequest, type ApiError } from '../../machinery/meta/status.js';
import { accessError, accessOf } from './authorize.js';
import type { RequestInfo } from './requestinfo.js';
import { unescapePath } from '../../machinery/requests/unescape.js';

const EXTRA = 'impersonate-extra-';
const AUTHENTICATION = 'authentication.k8s.io';
const ANONYMOUS = 'system:anonymous';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const SUPERUSERS = 'system:masters';
const NODE_PREFIX = 'system:node:';
const NODE_NAME = 'authentication.kubernetes.io/node-name';
const MAX_IDENTITIES = 1_000;
const MAX_CACHED_USERS = 10_000;

/** The Impersonate-* headers. */
interface Requested {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Models apiserver/pkg/endpoints/filters/impersonation/mode.go. */
interface Mode {
  /**
   * In constrained impersonation the verbs 'impersonate:<name>' and 'impersonate-on:<name>:<verb>' are checked. '' for
   * legacy impersonation, which checks the verb 'impersonate' alone.
   */
  readonly name: string;
  applies(requested: Requested, user: User): boolean;
}

const MODES: readonly Mode[] = [
  {
    name: 'associated-node',
    applies: (requested, user) =>
      isPlain(requested) &&
      splitServiceAccount(user.name) !== undefined &&
      nodeOf(requested) !== undefined &&
      user.extra?.[NODE_NAME]?.[0] === nodeOf(requested),
  },
  { name: 'arbitrary-node', applies: (requested) => isPlain(requested) && nodeOf(requested) !== undefined },
  {
    name: 'serviceaccount',
    applies: (requested) => isPlain(requested) && splitServiceAccount(requested.user) !== undefined,
  },
  {
    name: 'user-info',
    applies: (requested) => nodeOf(requested) === undefined && !splitServiceAccount(requested.user),
  },
  { name: '', applies: () => true },
];

/** The request names a user and nothing else. */
const isPlain = ({ uid, groups, extra }: Requested): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
const nodeOf = ({ user }: Requested): string | undefined =>
  user.startsWith(NODE_PREFIX) && user.length > NODE_PREFIX.length ? user.slice(NODE_PREFIX.length) : undefined;

/** The mode that last succeeded for a user is tried first: its refusal is the one that the client sees. */
const lastModes = new WeakMap<Reader, LRUCache<string, Mode>>();

/**
 * The user that the request is to be made as: `user` itself without Impersonate-* headers. Throws 400 for headers that
 * name no user, 403 when no mode lets `user` impersonate the requested one. Models
 * apiserver/pkg/endpoints/filters/impersonation.
 */
export function impersonate(user: User, headers: ApiRequest['headers'], info: RequestInfo, read: Reader): User {
  const requested = hasImpersonation(headers) ? parseImpersonationHeaders(headers) : undefined;
  if (!requested) return user;
  const last = lastModes.get(read)?.get(user.name);
  const modes = last ? [last, ...MODES.filter((mode) => mode !== last)] : MODES;
  let refusal: ApiError | undefined;
  for (const mode of modes) {
    if (!mode.applies(requested, user)) continue;
    const error = checkMode(mode, user, requested, info, read);
    if (!error) {
      cacheMode(read, user, mode);
      return impersonatedUser(requested, mode);
    }
    refusal ??= error;
  }
  throw refusal!;
}

function hasImpersonation(headers: ApiRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

function cacheMode(read: Reader, user: User, mode: Mode): void {
  let modes = lastModes.get(read);
  if (!modes) lastModes.set(read, (modes = growingCache(MAX_CACHED_USERS)));
  modes.set(user.name, mode);
}

/** The 403 when the mode does not let `user` impersonate. */
function checkMode(
  mode: Mode,
  user: User,
  requested: Requested,
  info: RequestInfo,
  read: Reader,
): ApiError | undefined {
  const accesses = mode.name ? constrainedAccesses(mode, requested, info) : legacyAccesses(requested);
  for (const access of accesses) {
    const decision = authorize(user, access, read);
    if (!decision.allowed) return accessError(user, access, decision);
  }
  if (!mode.name || !requested.groups.includes(SUPERUSERS)) return undefined;
  const access = makeAccess(`impersonate:${mode.name}`, {
    group: AUTHENTICATION,
    resource: 'groups',
    name: SUPERUSERS,
  });
  return accessError(user, access, { allowed: false, reason: `impersonating the ${SUPERUSERS} group is not allowed` });
}

function impersonatedUser({ user, uid, groups, extra }: Requested, mode: Mode): User {
  return {
    name: user,
    ...(uid ? { uid } : {}),
    groups: withAuthenticationGroup(user, groupsOf(user, groups, mode)),
    ...(Object.keys(extra).length ? { extra } : {}),
  };
}

function groupsOf(user: string, requested: readonly string[], mode: Mode): readonly string[] {
  if (mode.name.endsWith('-node')) return ['system:nodes'];
  if (requested.length) return requested;
  const account = splitServiceAccount(user);
  return account ? serviceAccountGroups(account.namespace) : [];
}

function withAuthenticationGroup(user: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED)) return groups;
  return [...groups, user === ANONYMOUS ? UNAUTHENTICATED : AUTHENTICATED];
}

/** Undefined when no header names anything. Throws 400. */
function parseImpersonationHeaders(headers: ApiRequest['headers']): Requested | undefined {
  const user = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'] ?? '';
  const groups = values(headers['impersonate-group']);
  const extra: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith(EXTRA)) extra[unescapePath(name.slice(EXTRA.length)).toLowerCase()] = values(value);
  const rest = groups.length + Object.values(extra).flat().length + (uid ? 1 : 0);
  if (!user && rest === 0) return undefined;
  if (!user) throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  if (rest > MAX_IDENTITIES) throw badRequest('too many identities to impersonate');
  return { user, uid, groups, extra };
}

const goList = (list: readonly string[]): string =>
  list.length ? `[]string{${list.map((v) => JSON.stringify(v)).join(', ')}}` : '[]string(nil)';

/** Prints a user.DefaultInfo as Go's %#v. */
function goUser(uid: string, groups: readonly string[], extra: Requested['extra']): string {
  const entries = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => `${JSON.stringify(key)}:${goList(list)}`);
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${goList(groups)}, Extra:map[string][]string${entries.length ? `{${entries.join(', ')}}` : '(nil)'}}`;
}

/** Repeated headers arrive as one, with line feeds between the values. */
const values = (header: string | undefined): string[] => (header ? header.split('\n').filter((v) => v !== '') : []);

/** The accesses of legacy impersonation, whatever the request then does. */
function* legacyAccesses(requested: Requested): Iterable<Access> {
  const account = splitServiceAccount(requested.user);
  yield account
    ? makeAccess('impersonate', { resource: 'serviceaccounts', name: account.name, namespace: account.namespace })
    : makeAccess('impersonate', { resource: 'users', name: requested.user });
  yield* attributeAccesses('impersonate', '', requested);
}

/** The accesses of constrained impersonation: to make this request as the user, and to impersonate the user. */
function* constrainedAccesses({ name: mode }: Mode, requested: Requested, info: RequestInfo): Iterable<Access> {
  const access = accessOf(info);
  yield { ...access, verb: `impersonate-on:${mode}:${access.verb}` };
  const verb = `impersonate:${mode}`;
  yield makeAccess(verb, { group: AUTHENTICATION, ...identityResource(mode, requested) });
  yield* attributeAccesses(verb, AUTHENTICATION, requested);
}

function identityResource(mode: string, requested: Requested): Partial<Access> {
  const account = splitServiceAccount(requested.user);
  if (account) return { resource: 'serviceaccounts', name: account.name, namespace: account.namespace };
  const node = nodeOf(requested);
  if (node === undefined) return { resource: 'users', name: requested.user };
  return { resource: 'nodes', name: mode === 'associated-node' ? '*' : node };
}

/** Of uid, groups and extra. `group`: the API group of the resource 'groups', which is core in legacy impersonation. */
function* attributeAccesses(verb: string, group: string, { uid, groups, extra }: Requested): Iterable<Access> {
  if (uid) yield makeAccess(verb, { group: AUTHENTICATION, resource: 'uids', name: uid });
  for (const name of groups) yield makeAccess(verb, { group, resource: 'groups', name });
  for (const [key, list] of Object.entries(extra))
    for (const name of list)
      yield makeAccess(verb, { group: AUTHENTICATION, resource: 'userextras', name, subresource: key });
}
