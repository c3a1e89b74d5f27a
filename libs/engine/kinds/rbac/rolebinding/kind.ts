import type { RoleBinding } from '../../../api/rbac_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { bindingColumns, defaultBinding, validateBinding, validateBindingUpdate } from '../bindings.js';

/** Models pkg/registry/rbac/rolebinding. */
export const kind = defineKind<RoleBinding>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  singular: 'rolebinding',
  scope: 'Namespaced',
  createOnUpdate: true,
  definition: 'io.k8s.api.rbac.v1.RoleBinding',
  nameRule: 'pathSegment',
  columns: bindingColumns,
  defaults: defaultBinding,
  validate: (binding) => validateBinding(binding, ['Role', 'ClusterRole'], true),
  validateUpdate: validateBindingUpdate,
});
