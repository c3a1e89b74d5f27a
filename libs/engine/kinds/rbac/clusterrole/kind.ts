import type { ClusterRole } from '../../../api/rbac_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { createdAtColumn, nameColumn } from '../../columns.js';
import { validateRules } from '../rules.js';

/** Models pkg/registry/rbac/clusterrole. */
export const kind = defineKind<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  singular: 'clusterrole',
  scope: 'Cluster',
  createOnUpdate: true,
  definition: 'io.k8s.api.rbac.v1.ClusterRole',
  nameRule: 'pathSegment',
  columns: [nameColumn, createdAtColumn],
  validate: (role) => validateRules(role.rules, false),
});
