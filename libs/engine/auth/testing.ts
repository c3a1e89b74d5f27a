import type { Subject } from '../api/rbac_v1.js';
import type { User } from '../machinery/client.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { State } from '../runtime/state/state.js';
import { parseRules } from './rbac/policy-text.js';

export const userOf = (name: string, ...groups: string[]): User => ({ name, groups });

/** A state for the specs of authentication and authorization. */
export class AuthState extends State {
  add<T extends KubeObject>(resource: string, name: string, namespace: string, fields: object = {}): T {
    const metadata = { name, uid: `uid-${name}`, ...(namespace ? { namespace } : {}) };
    return this.put(resource, { apiVersion: '', kind: '', metadata, ...fields } as never, 'test', 0) as T;
  }

  /** A Role, or without a namespace a ClusterRole, in the words of parseRules. */
  addRole(name: string, namespace: string, rules: string): void {
    const plural = namespace ? 'roles' : 'clusterroles';
    this.add(`${plural}.rbac.authorization.k8s.io`, name, namespace, { rules: parseRules(rules) });
  }

  /** A RoleBinding, or without a namespace a ClusterRoleBinding. `role` is 'Role/writer' or 'ClusterRole/reader'. */
  bind(name: string, namespace: string, role: string, ...subjects: Subject[]): void {
    const plural = namespace ? 'rolebindings' : 'clusterrolebindings';
    const [kind, roleName] = role.split('/');
    this.add(`${plural}.rbac.authorization.k8s.io`, name, namespace, { roleRef: { kind, name: roleName }, subjects });
  }
}
