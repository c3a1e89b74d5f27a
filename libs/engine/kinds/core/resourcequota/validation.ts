/** Models ValidateResourceQuota of pkg/apis/core/validation. */
import type { ResourceQuota } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/field.js';
import { IMMUTABLE } from '../../../machinery/validation.js';
import { validateAmount, validateQuotaResourceName } from '../resource-names.js';

const path = Path.of('spec');
const SCOPES = ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'];
const OPERATORS = ['DoesNotExist', 'Exists', 'In', 'NotIn'];

export function validateQuota({ spec }: ResourceQuota): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(spec.hard ?? {})) {
    const at = path.child('hard').key(name);
    errors.push(...validateQuotaResourceName(name, at), ...validateAmount(name, amount, at));
  }
  for (const scope of spec.scopes ?? []) if (!SCOPES.includes(scope)) errors.push(invalidValue(path.child('scopes'), spec.scopes, 'unsupported scope'));
  const scopes = new Set(spec.scopes);
  if ((scopes.has('BestEffort') && scopes.has('NotBestEffort')) || (scopes.has('Terminating') && scopes.has('NotTerminating'))) {
    errors.push(invalidValue(path.child('scopes'), spec.scopes, 'conflicting scopes'));
  }
  spec.scopeSelector?.matchExpressions?.forEach(({ scopeName, operator, values }) => {
    const at = path.child('scopeSelector', 'matchExpressions');
    if (!SCOPES.includes(scopeName)) errors.push(invalidValue(at.child('scopeName'), scopeName, 'unsupported scope'));
    if (!OPERATORS.includes(operator)) errors.push(invalidValue(at.child('operator'), operator ?? '', 'not a valid selector operator'));
    if ((operator === 'In' || operator === 'NotIn') && !values?.length) errors.push(required(at.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
    if ((operator === 'Exists' || operator === 'DoesNotExist') && values?.length) errors.push(invalidValue(at.child('values'), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
  });
  return errors;
}

export const validateQuotaUpdate = (next: ResourceQuota, old: ResourceQuota): FieldError[] =>
  deepEqual([...(next.spec.scopes ?? [])].sort(), [...(old.spec.scopes ?? [])].sort()) ? [] : [invalidValue(path.child('scopes'), next.spec.scopes, IMMUTABLE)];
