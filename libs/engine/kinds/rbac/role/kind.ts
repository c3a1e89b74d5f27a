import type { Role } from '../../../api/rbac_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { createdAtColumn, nameColumn } from '../../columns.js';
import { validateRules } from '../rules.js';

/** Models pkg/registry/rbac/role. */
export const kind = defineKind<Role>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  singular: 'role',
  scope: 'Namespaced',
  createOnUpdate: true,
  definition: 'io.k8s.api.rbac.v1.Role',
  nameRule: 'pathSegment',
  columns: [nameColumn, createdAtColumn],
  validate: (role) => validateRules(role.rules, true),
});
