import { type Access, makeAccess } from '../../machinery/auth.js';
import { authorize } from '../../auth/authorization/authorizer.js';
import { serviceAccountGroups, splitServiceAccount } from '../../auth/authentication/serviceaccounts.js';
import type { Reader, User } from '../../machinery/client.js';
import type { ApiRequest } from '../../machinery/http.js';
import { badRequest, type ApiError } from '../../machinery/meta/status.js';
import { accessError } from './authorize.js';
import { unescapeText } from './query.js';
import { accessOf } from './requestinfo.js';

const EXTRA = 'impersonate-extra-';
const AUTHENTICATION = 'authentication.k8s.io';
const ANONYMOUS = 'system:anonymous';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const SUPERUSERS = 'system:masters';
const NODE_PREFIX = 'system:node:';
const NODE_NAME = 'authentication.kubernetes.io/node-name';
const MAX_IDENTITIES = 1_000;
const MAX_REMEMBERED = 10_000;

interface Wanted {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * A way to act as another: for whom it is meant, and what it takes. Models
 * apiserver/pkg/endpoints/filters/impersonation/mode.go.
 */
interface Mode {
  /** '' for the one that always was, which looks neither at what is then done nor at whom it concerns. */
  readonly name: string;
  applies(wanted: Wanted, user: User): boolean;
}

const MODES: readonly Mode[] = [
  {
    name: 'associated-node',
    applies: (wanted, user) =>
      isPlain(wanted) &&
      splitServiceAccount(user.name) !== undefined &&
      nodeOf(wanted) !== undefined &&
      user.extra?.[NODE_NAME]?.[0] === nodeOf(wanted),
  },
  { name: 'arbitrary-node', applies: (wanted) => isPlain(wanted) && nodeOf(wanted) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => isPlain(wanted) && splitServiceAccount(wanted.user) !== undefined },
  { name: 'user-info', applies: (wanted) => nodeOf(wanted) === undefined && !splitServiceAccount(wanted.user) },
  { name: '', applies: () => true },
];

const isPlain = ({ uid, groups, extra }: Wanted): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
const nodeOf = ({ user }: Wanted): string | undefined =>
  user.startsWith(NODE_PREFIX) && user.length > NODE_PREFIX.length ? user.slice(NODE_PREFIX.length) : undefined;

/** The mode that last worked for a user is tried first: it decides whose refusal is told. */
const lastModes = new WeakMap<Reader, Map<string, Mode>>();

/**
 * Whoever the request is to be made as. Throws 403 when `user` may not act as them in any way. Models
 * apiserver/pkg/endpoints/filters/impersonation.
 */
export function impersonated(
  user: User,
  request: Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers'>,
  read: Reader,
): User {
  const wanted = wantedOf(request.headers);
  if (!wanted) return user;
  const last = lastModes.get(read)?.get(user.name);
  const modes = (last ? [last, ...MODES.filter((m) => m !== last)] : MODES).filter((m) => m.applies(wanted, user));
  let refusal: ApiError | undefined;
  for (const mode of modes) {
    const error = refusalOf(mode, user, wanted, request, read);
    if (!error) {
      remember(read, user, mode);
      return actual(wanted, mode);
    }
    refusal ??= error;
  }
  throw refusal!;
}

function remember(read: Reader, user: User, mode: Mode): void {
  let modes = lastModes.get(read);
  if (!modes || modes.size >= MAX_REMEMBERED) lastModes.set(read, (modes = new Map()));
  modes.set(user.name, mode);
}

function refusalOf(
  mode: Mode,
  user: User,
  wanted: Wanted,
  request: Pick<ApiRequest, 'method' | 'path' | 'query'>,
  read: Reader,
): ApiError | undefined {
  const asked = mode.name ? constrained(mode, wanted, request) : legacy(wanted);
  for (const access of asked) {
    const decision = authorize(user, access, read);
    if (!decision.allowed) return accessError(user, access, decision);
  }
  if (!mode.name || !wanted.groups.includes(SUPERUSERS)) return undefined;
  const access = makeAccess(`impersonate:${mode.name}`, {
    group: AUTHENTICATION,
    resource: 'groups',
    name: SUPERUSERS,
  });
  return accessError(user, access, { allowed: false, reason: `impersonating the ${SUPERUSERS} group is not allowed` });
}

/** Who they then are. */
function actual({ user, uid, groups, extra }: Wanted, mode: Mode): User {
  const account = splitServiceAccount(user);
  const node = mode.name.endsWith('-node');
  const own = node ? ['system:nodes'] : groups.length ? groups : account ? serviceAccountGroups(account.namespace) : [];
  return {
    name: user,
    ...(uid ? { uid } : {}),
    groups: completed(user, own),
    ...(Object.keys(extra).length ? { extra } : {}),
  };
}

function completed(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED)) return groups;
  return [...groups, name === ANONYMOUS ? UNAUTHENTICATED : AUTHENTICATED];
}

function wantedOf(headers: ApiRequest['headers']): Wanted | undefined {
  const user = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'] ?? '';
  const groups = values(headers['impersonate-group']);
  const extra: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith(EXTRA)) extra[unescapeText(name.slice(EXTRA.length), false).toLowerCase()] = values(value);
  const rest = groups.length + Object.values(extra).flat().length + (uid ? 1 : 0);
  if (!user && rest === 0) return undefined;
  if (!user) throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  if (rest > MAX_IDENTITIES) throw badRequest('too many identities to impersonate');
  return { user, uid, groups, extra };
}

const goList = (list: readonly string[]): string =>
  list.length ? `[]string{${list.map((v) => JSON.stringify(v)).join(', ')}}` : '[]string(nil)';

/** As Go prints a user. */
function goUser(uid: string, groups: readonly string[], extra: Wanted['extra']): string {
  const entries = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => `${JSON.stringify(key)}:${goList(list)}`);
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${goList(groups)}, Extra:map[string][]string${entries.length ? `{${entries.join(', ')}}` : '(nil)'}}`;
}

/** Headers that repeat come with line feeds between them. */
const values = (header: string | undefined): string[] => (header ? header.split('\n').filter((v) => v !== '') : []);

/** What it takes to act as them at all, whatever is then done. */
function* legacy(wanted: Wanted): Iterable<Access> {
  const account = splitServiceAccount(wanted.user);
  yield account
    ? makeAccess('impersonate', { resource: 'serviceaccounts', name: account.name, namespace: account.namespace })
    : makeAccess('impersonate', { resource: 'users', name: wanted.user });
  yield* parts('impersonate', '', wanted);
}

/** What it takes to do this as them, and to be them. */
function* constrained(
  { name: mode }: Mode,
  wanted: Wanted,
  request: Pick<ApiRequest, 'method' | 'path' | 'query'>,
): Iterable<Access> {
  const access = accessOf(request);
  yield { ...access, verb: `impersonate-on:${mode}:${access.verb}` };
  const verb = `impersonate:${mode}`;
  const account = splitServiceAccount(wanted.user);
  const node = nodeOf(wanted);
  if (account)
    yield makeAccess(verb, {
      group: AUTHENTICATION,
      resource: 'serviceaccounts',
      name: account.name,
      namespace: account.namespace,
    });
  else if (node !== undefined)
    yield makeAccess(verb, { group: AUTHENTICATION, resource: 'nodes', name: mode === 'associated-node' ? '*' : node });
  else yield makeAccess(verb, { group: AUTHENTICATION, resource: 'users', name: wanted.user });
  yield* parts(verb, AUTHENTICATION, wanted);
}

/** Each part of an identity beside its name. `group`: the API group that groups of users are asked for in. */
function* parts(verb: string, group: string, { uid, groups, extra }: Wanted): Iterable<Access> {
  if (uid) yield makeAccess(verb, { group: AUTHENTICATION, resource: 'uids', name: uid });
  for (const name of groups) yield makeAccess(verb, { group, resource: 'groups', name });
  for (const [key, list] of Object.entries(extra))
    for (const name of list)
      yield makeAccess(verb, { group: AUTHENTICATION, resource: 'userextras', name, subresource: key });
}
