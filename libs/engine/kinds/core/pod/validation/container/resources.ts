/** Requests and limits. Models validateResourceRequirements and validatePodResources of pkg/apis/core/validation. */
import type { Container, PodSpec, ResourceClaim, ResourceRequirements } from '../../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../../machinery/meta/field.js';
import {
  addQuantities,
  compareQuantity,
  isQuantity,
  quantityValue,
} from '../../../../../machinery/quantity/quantity.js';
import { invalidEach, isDNS1123Label } from '../../../../../machinery/meta/validation.js';
import {
  isHugePageResourceName,
  isOvercommitAllowed,
  validateResourceQuantityValue,
  validateContainerResourceName,
  validateResourceName,
} from '../../../resource-names.js';

type NameRule = (name: string, path: Path) => FieldError[];
type Amounts = Readonly<Record<string, string>>;

const FOR_PODS = ['cpu', 'hugepages-', 'memory'];

export function validateResources(
  resources: ResourceRequirements | undefined,
  claims: ReadonlySet<string>,
  path: Path,
  errors: FieldError[],
): void {
  if (resources) validateRequirements(resources, validateContainerResourceName, claims, path, errors);
}

function validateRequirements(
  { limits = {}, requests = {}, claims: used }: ResourceRequirements,
  rule: NameRule,
  claims: ReadonlySet<string>,
  path: Path,
  errors: FieldError[],
): void {
  for (const name in limits) {
    const at = path.child('limits').key(name);
    errors.push(...rule(name, at), ...validateResourceQuantityValue(name, limits[name]!, at));
    validateHugePages(name, limits[name]!, at, errors);
  }
  for (const name in requests) {
    const at = path.child('requests').key(name);
    errors.push(...rule(name, at), ...validateResourceQuantityValue(name, requests[name]!, at));
    validateAgainstLimit(name, requests[name]!, limits[name], path, errors);
    validateHugePages(name, requests[name]!, at, errors);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePageResourceName) && !names.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
  if (used) validateClaims(used, claims, path.child('claims'), errors);
}

function validateHugePages(name: string, amount: string, at: Path, errors: FieldError[]): void {
  if (isHugePageResourceName(name) && !isWholePages(name, amount))
    errors.push(invalidValue(at, amount, `${amount} is not positive integer multiple of ${name}`));
}

function isWholePages(name: string, amount: string): boolean {
  const page = name.slice('hugepages-'.length);
  return (
    isQuantity(page) &&
    isQuantity(amount) &&
    quantityValue(page) > 0 &&
    quantityValue(amount) % quantityValue(page) === 0
  );
}

function validateAgainstLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: Path,
  errors: FieldError[],
): void {
  if (limit === undefined) {
    if (!isOvercommitAllowed(name))
      errors.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
    return;
  }
  if (request === limit || !isQuantity(request) || !isQuantity(limit)) return;
  const order = compareQuantity(request, limit);
  if (order !== 0 && !isOvercommitAllowed(name))
    errors.push(invalidValue(path.child('requests'), request, `must be equal to ${name} limit of ${limit}`));
  else if (order > 0)
    errors.push(
      invalidValue(path.child('requests'), request, `must be less than or equal to ${name} limit of ${limit}`),
    );
}

function validateClaims(
  used: readonly ResourceClaim[],
  claims: ReadonlySet<string>,
  path: Path,
  errors: FieldError[],
): void {
  const keys = new Set<string>();
  used.forEach(({ name, request }, i) => {
    const at = path.index(i);
    if (!name) return void errors.push(required(at));
    const key = request ? `${name}/${request}` : name;
    if (!keys.has(name) && request) errors.push(...invalidEach(at.child('request'), request, isDNS1123Label(request)));
    if (keys.has(name)) errors.push(duplicate(at, name));
    else if (keys.has(key)) errors.push(duplicate(at, key));
    else if (!request) for (const other of keys) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
    keys.add(key);
    if (!claims.has(name))
      errors.push(
        notFoundValue(
          at,
          name,
          `must be one of the names in pod.spec.resourceClaims${claims.size ? `: ${[...claims].sort().join(', ')}` : ' which is empty'}`,
        ),
      );
  });
}

const validatePodResourceName: NameRule = (name, path) => {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePageResourceName(name)) return errors;
  return [notSupported(path, name, FOR_PODS)];
};

/** The pod-level requests must cover those of the containers. */
export function validatePodResources(
  spec: PodSpec,
  claims: ReadonlySet<string>,
  path: Path,
  errors: FieldError[],
): void {
  const { resources } = spec;
  if (!resources) return;
  const at = path.child('resources');
  if (spec.os?.name === 'windows') return void errors.push(forbiddenField(at, 'may not be set for a windows pod'));
  if (resources.claims)
    errors.push(forbiddenField(at.child('claims'), 'claims may not be set for Resources at pod-level'));
  validateRequirements(resources, validatePodResourceName, claims, at, errors);
  for (const [name, total] of Object.entries(aggregateContainerResources(spec, 'requests'))) {
    const whole = resources.requests?.[name];
    if (whole !== undefined && compareQuantity(total, whole) > 0)
      errors.push(
        invalidValue(
          at.child('requests').key(name),
          whole,
          `must be greater than or equal to aggregate container requests of ${total}`,
        ),
      );
  }
  for (const [name, total] of Object.entries(aggregateContainerResources(spec, 'limits'))) {
    const whole = resources.limits?.[name];
    if (isHugePageResourceName(name) && whole !== undefined && compareQuantity(total, whole) > 0)
      errors.push(
        invalidValue(
          at.child('limits').key(name),
          whole,
          `must be greater than or equal to aggregate container limits of ${total}`,
        ),
      );
  }
  spec.containers?.forEach((container, i) => {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const whole = resources.limits?.[name];
      if (whole === undefined || !isQuantity(limit) || !isQuantity(whole) || compareQuantity(limit, whole) <= 0)
        continue;
      errors.push(
        invalidValue(
          at.child('containers').index(i).key(name).child('limits'),
          limit,
          `must be less than or equal to pod limits of ${whole}`,
        ),
      );
    }
  });
}

/**
 * Containers and sidecars run together. Each other init container runs beside the sidecars before it. Models
 * AggregateContainerRequests.
 */
function aggregateContainerResources(spec: PodSpec, field: 'requests' | 'limits'): Amounts {
  let total = sumAmounts(spec.containers ?? [], field);
  let sidecars: Amounts = {};
  let most: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const own = validAmounts(container.resources?.[field]);
    if (container.restartPolicy === 'Always') {
      total = addAmounts(total, own);
      sidecars = addAmounts(sidecars, own);
      most = maxAmounts(most, sidecars);
    } else most = maxAmounts(most, addAmounts(sidecars, own));
  }
  return maxAmounts(total, most);
}

const validAmounts = (amounts: Amounts = {}): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => isQuantity(amount)));
const sumAmounts = (containers: readonly Container[], field: 'requests' | 'limits'): Amounts =>
  containers.reduce<Amounts>((total, c) => addAmounts(total, validAmounts(c.resources?.[field])), {});
const addAmounts = (a: Amounts, b: Amounts): Amounts => mergeAmounts(a, b, addQuantities);
const maxAmounts = (a: Amounts, b: Amounts): Amounts =>
  mergeAmounts(a, b, (x, y) => (compareQuantity(x, y) >= 0 ? x : y));

function mergeAmounts(a: Amounts, b: Amounts, pick: (x: string, y: string) => string): Amounts {
  const result: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b))
    result[name] = result[name] === undefined ? amount : pick(result[name], amount);
  return result;
}
