/** Models ValidateResourceQuota of pkg/apis/core/validation. */
import type { ResourceQuota } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { compareQuantity, isQuantity, milliValue } from '../../../machinery/quantity.js';
import { IMMUTABLE, invalidEach, isQualifiedName, NOT_NEGATIVE } from '../../../machinery/validation.js';

const path = Path.of('spec');
const SCOPES = ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'];
const STANDARD = new Set([
  'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage',
  'pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'persistentvolumeclaims', 'configmaps', 'services.nodeports', 'services.loadbalancers',
]);
const COUNTED = new Set(['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps', 'persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers']);
const OPERATORS = ['DoesNotExist', 'Exists', 'In', 'NotIn'];

export function validateQuota({ spec }: ResourceQuota): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(spec.hard ?? {})) {
    const at = path.child('hard').key(name);
    errors.push(...invalidEach(at, name, isQualifiedName(name)));
    if (!name.includes('/') && !STANDARD.has(name) && !/^(requests\.)?hugepages-/.test(name)) errors.push(invalidValue(at, name, 'must be a standard resource for quota'));
    if (!isQuantity(amount) || compareQuantity(amount, '0') < 0) errors.push(invalidValue(at, amount, NOT_NEGATIVE));
    else if ((COUNTED.has(name) || name.startsWith('count/')) && milliValue(amount) % 1000 !== 0) errors.push(invalidValue(at, amount, 'must be an integer'));
  }
  for (const scope of spec.scopes ?? []) if (!SCOPES.includes(scope)) errors.push(invalidValue(path.child('scopes'), spec.scopes, 'unsupported scope'));
  const scopes = new Set(spec.scopes);
  if ((scopes.has('BestEffort') && scopes.has('NotBestEffort')) || (scopes.has('Terminating') && scopes.has('NotTerminating'))) {
    errors.push(invalidValue(path.child('scopes'), spec.scopes, 'conflicting scopes'));
  }
  spec.scopeSelector?.matchExpressions?.forEach(({ scopeName, operator, values }) => {
    const at = path.child('scopeSelector', 'matchExpressions');
    if (!SCOPES.includes(scopeName)) errors.push(invalidValue(at.child('scopeName'), scopeName, 'unsupported scope'));
    if (!OPERATORS.includes(operator)) errors.push(notSupported(at.child('operator'), operator, OPERATORS));
    if ((operator === 'In' || operator === 'NotIn') && !values?.length) errors.push(required(at.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
    if ((operator === 'Exists' || operator === 'DoesNotExist') && values?.length) errors.push(invalidValue(at.child('values'), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
  });
  return errors;
}

export const validateQuotaUpdate = (next: ResourceQuota, old: ResourceQuota): FieldError[] =>
  deepEqual([...(next.spec.scopes ?? [])].sort(), [...(old.spec.scopes ?? [])].sort()) ? [] : [invalidValue(path.child('scopes'), next.spec.scopes, IMMUTABLE)];
