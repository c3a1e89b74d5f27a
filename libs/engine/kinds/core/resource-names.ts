/** Names and amounts of resources. Models pkg/apis/core/helper and validateResourceName of pkg/apis/core/validation. */
import { invalidValue, type FieldError, type Path } from '../../machinery/meta/field.js';
import { compareQuantity, isQuantity, milliValue } from '../../machinery/quantity/quantity.js';
import { invalidEach, isQualifiedName, NOT_NEGATIVE } from '../../machinery/meta/validation.js';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const IN_QUOTAS = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...COUNTED,
]);
const STANDARD = new Set([...IN_QUOTAS, 'storage']);
const INTEGER = 'must be an integer';
const HUGE_PAGES = 'hugepages-';

export const isHugePageResourceName = (name: string): boolean => name.startsWith(HUGE_PAGES);
/** Whether the resource has no domain, or one of kubernetes.io. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
/** Whether the resource has a domain of its own: 'example.com/gpu'. */
export const isExtendedResourceName = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePageResourceName(name);
const isCounted = (name: string): boolean => COUNTED.includes(name) || isExtendedResourceName(name);

/** A resource of any object: standard, or fully qualified. */
export function validateResourceName(name: string, path: Path): FieldError[] {
  const messages = isQualifiedName(name);
  if (messages.length > 0) return invalidEach(path, name, messages);
  const known =
    name.includes('/') ||
    STANDARD.has(name) ||
    isHugePageResourceName(name) ||
    name.startsWith(`requests.${HUGE_PAGES}`);
  return known ? [] : [invalidValue(path, name, 'must be a standard resource type or fully qualified')];
}

export function validateContainerResourceName(name: string, path: Path): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    if (!COMPUTE.includes(name) && !isHugePageResourceName(name))
      errors.push(invalidValue(path, name, 'must be a standard resource for containers'));
  } else if (!isNativeResource(name) && !isExtendedResourceName(name))
    errors.push(invalidValue(path, name, "doesn't follow extended resource name standard"));
  return errors;
}

export const isStandardQuotaResourceName = (name: string): boolean =>
  IN_QUOTAS.has(name) || isHugePageResourceName(name) || name.startsWith(`requests.${HUGE_PAGES}`);

export function validateResourceQuotaResourceName(name: string, path: Path): FieldError[] {
  const errors = validateResourceName(name, path);
  return name.includes('/') || isStandardQuotaResourceName(name)
    ? errors
    : [...errors, invalidValue(path, name, 'must be a standard resource for quota')];
}

/** Not negative, and a whole number where the resource is counted. Models ValidateResourceQuantityValue. */
export function validateResourceQuantityValue(name: string, amount: string, path: Path): FieldError[] {
  if (!isQuantity(amount)) return [invalidValue(path, amount, NOT_NEGATIVE)];
  const errors = compareQuantity(amount, '0') < 0 ? [invalidValue(path, amount, NOT_NEGATIVE)] : [];
  if (isCounted(name) && milliValue(amount) % 1000 !== 0) errors.push(invalidValue(path, amount, INTEGER));
  return errors;
}
