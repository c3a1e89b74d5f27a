import type { ClusterRole } from '../../../api/rbac_v1.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateLabelSelector } from '../../../machinery/meta/validation.js';
import { validateEach } from '../../field-validation.js';
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
  validate: (role) => [...validateRules(role.rules, false), ...validateAggregation(role)],
});

/** Models pkg/apis/rbac/validation ValidateClusterRole. */
function validateAggregation({ aggregationRule }: ClusterRole): FieldError[] {
  if (!aggregationRule) return [];
  const path = Path.of('aggregationRule', 'clusterRoleSelectors');
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return validateEach(selectors, path, (selector, at) => {
    const errors = validateLabelSelector(selector, at);
    return errors.length ? [...errors, invalidValue(at, null, 'invalid label selector.')] : [];
  });
}
