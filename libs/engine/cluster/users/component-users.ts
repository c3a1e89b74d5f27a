import type { User } from '../../machinery/client.js';

/** The user that a component's writes are made as, with the groups that kube-apiserver gives such a name. */
export function componentUser(name: string): User {
  const [, type, namespace] = name.split(':');
  if (type === 'serviceaccount')
    return { name, groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'] };
  if (type === 'node') return { name, groups: ['system:nodes', 'system:authenticated'] };
  return { name, groups: ['system:authenticated'] };
}
