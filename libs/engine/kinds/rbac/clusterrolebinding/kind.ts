import type { ClusterRoleBinding } from '../../../api/rbac_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { bindingColumns, defaultBinding, validateBinding, validateBindingUpdate } from '../bindings.js';

/** Models pkg/registry/rbac/clusterrolebinding. */
export const kind = defineKind<ClusterRoleBinding>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  singular: 'clusterrolebinding',
  scope: 'Cluster',
  createOnUpdate: true,
  definition: 'io.k8s.api.rbac.v1.ClusterRoleBinding',
  nameRule: 'pathSegment',
  columns: bindingColumns,
  defaults: defaultBinding,
  validate: (binding) => validateBinding(binding, ['ClusterRole'], false),
  validateUpdate: validateBindingUpdate,
});
