import type { PolicyRule } from '../../api/rbac_v1.js';
import { invalidValue, Path, required, type FieldError } from '../../machinery/meta/field.js';
import { validateEach } from '../field-validation.js';

/** Models pkg/apis/rbac/validation ValidateRole and ValidateClusterRole. */
export const validateRules = (rules: readonly PolicyRule[] | undefined, namespaced: boolean): FieldError[] =>
  validateEach(rules, Path.of('rules'), (rule, path) => validateRule(rule, namespaced, path));

function validateRule(rule: PolicyRule, namespaced: boolean, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (!rule.verbs?.length) errors.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  if (rule.nonResourceURLs?.length) {
    const at = path.child('nonResourceURLs');
    if (namespaced)
      errors.push(invalidValue(at, rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    if (rule.apiGroups?.length || rule.resources?.length || rule.resourceNames?.length) {
      errors.push(
        invalidValue(at, rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
      );
    }
    return errors;
  }
  if (!rule.apiGroups?.length)
    errors.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  if (!rule.resources?.length)
    errors.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
  return errors;
}
