import type { ServiceAccount } from '../../api/core_v1.js';
import type { User } from '../../machinery/client.js';

const PREFIX = 'system:serviceaccount:';

export const serviceAccountUser = (namespace: string, name: string): string => `${PREFIX}${namespace}:${name}`;
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/**
 * The namespace and name in a service account's user name. Models apiserver/pkg/authentication/serviceaccount
 * SplitUsername.
 */
export function splitServiceAccount(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(PREFIX)) return undefined;
  const [namespace, name, ...more] = user.slice(PREFIX.length).split(':');
  return namespace && name && more.length === 0 ? { namespace, name } : undefined;
}

/** Models apiserver/pkg/authentication/serviceaccount UserInfo. */
export function userOfServiceAccount(account: ServiceAccount, extra?: User['extra']): User {
  const { namespace = '', name = '', uid } = account.metadata;
  return {
    name: serviceAccountUser(namespace, name),
    groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
    uid,
    ...(extra ? { extra } : {}),
  };
}
