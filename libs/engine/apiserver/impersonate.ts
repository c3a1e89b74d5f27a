import { anything, isSuperuser, type Access } from '../kinds/authorization/authorizer.js';
import { serviceAccountGroups, splitServiceAccount } from '../kinds/authentication/serviceaccounts.js';
import type { Reader, User } from '../machinery/client.js';
import type { ApiRequest } from '../machinery/http.js';
import { badRequest } from '../machinery/status.js';
import { requireAccess } from './authorize.js';
import { unescapeText } from './query.js';

const EXTRA = 'impersonate-extra-';
const AUTHENTICATION = 'authentication.k8s.io';
const ANONYMOUS = 'system:anonymous';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const MAX_IDENTITIES = 1_000;

interface Wanted {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Whoever the request is to be made as; `user` must be allowed to impersonate each part. Models apiserver/pkg/endpoints/filters/impersonation. */
export function impersonated(user: User, headers: ApiRequest['headers'], read: Reader): User {
  const wanted = wantedOf(headers);
  if (!wanted) return user;
  if (!isSuperuser(user)) for (const access of accesses(wanted)) requireAccess(user, access, read);
  const account = splitServiceAccount(wanted.user);
  const groups = wanted.groups.length ? wanted.groups : account ? serviceAccountGroups(account.namespace) : [];
  return {
    name: wanted.user,
    ...(wanted.uid ? { uid: wanted.uid } : {}),
    groups: completed(wanted.user, groups),
    ...(Object.keys(wanted.extra).length ? { extra: wanted.extra } : {}),
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
  for (const [name, value] of Object.entries(headers)) if (name.startsWith(EXTRA)) extra[unescapeText(name.slice(EXTRA.length), false).toLowerCase()] = values(value);
  const rest = groups.length + Object.values(extra).flat().length + (uid ? 1 : 0);
  if (!user && rest === 0) return undefined;
  if (!user) throw badRequest('requested groups, uid or extra without impersonating a user');
  if (rest > MAX_IDENTITIES) throw badRequest('too many identities to impersonate');
  return { user, uid, groups, extra };
}

/** Headers that repeat come with line feeds between them. */
const values = (header: string | undefined): string[] => (header ? header.split('\n').filter((v) => v !== '') : []);

function* accesses({ user, uid, groups, extra }: Wanted): Iterable<Access> {
  const ask = (resource: string, name: string, more: Partial<Access> = {}): Access => anything('impersonate', { resource, name, ...more });
  const account = splitServiceAccount(user);
  yield account ? ask('serviceaccounts', account.name, { namespace: account.namespace }) : ask('users', user);
  for (const group of groups) yield ask('groups', group);
  for (const [key, list] of Object.entries(extra)) for (const value of list) yield ask('userextras', value, { group: AUTHENTICATION, subresource: key });
  if (uid) yield ask('uids', uid, { group: AUTHENTICATION });
}
