/** Requests and limits. Models ValidateContainerResourceRequirements of pkg/apis/core/validation. */
import type { ResourceRequirements } from '../../../api/core_v1.js';
import { forbiddenField, invalidValue, notFoundValue, required, type FieldError, type Path } from '../../../machinery/field.js';
import { compareQuantity, isQuantity, milliValue } from '../../../machinery/quantity.js';
import { invalidEach, isQualifiedName, NOT_NEGATIVE } from '../../../machinery/validation.js';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);
export const INTEGER = 'must be an integer';

/** 'example.com/gpu': a name outside kubernetes.io. */
export const isExtended = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
const mayOvercommit = (name: string): boolean => isNative(name) && !name.startsWith('hugepages-');

export function validateResources(resources: ResourceRequirements | undefined, claims: ReadonlySet<string>, path: Path, errors: FieldError[]): void {
  if (!resources) return;
  const { limits, requests } = resources;
  for (const name in limits) validateAmount(name, limits[name]!, path, 'limits', errors);
  for (const name in requests) validateAmount(name, requests[name]!, path, 'requests', errors);
  for (const name in requests) validateAgainstLimit(name, requests[name]!, limits?.[name], path, errors);
  resources.claims?.forEach((claim, i) => {
    const at = path.child('claims').index(i).child('name');
    if (!claim.name) errors.push(required(at));
    else if (!claims.has(claim.name)) errors.push(notFoundValue(at, claim.name));
  });
}

function validateAmount(name: string, amount: string, path: Path, field: string, errors: FieldError[]): void {
  if (!STANDARD.has(name) && !name.startsWith('hugepages-')) {
    const at = path.child(field).key(name);
    if (!name.includes('/')) errors.push(...invalidEach(path.child(field), name, ['must be a standard resource type or fully qualified']), ...invalidEach(path.child(field), name, ['must be a standard resource for containers']));
    else errors.push(...invalidEach(path.child(field), name, isQualifiedName(name)));
    if (isExtended(name) && isQuantity(amount) && milliValue(amount) % 1000 !== 0) errors.push(invalidValue(at, amount, INTEGER));
  }
  if (!isQuantity(amount) || milliValue(amount) < 0) errors.push(invalidValue(path.child(field).key(name), amount, NOT_NEGATIVE));
}

function validateAgainstLimit(name: string, request: string, limit: string | undefined, path: Path, errors: FieldError[]): void {
  if (limit === undefined) {
    if (!mayOvercommit(name)) errors.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
    return;
  }
  if (request === limit || !isQuantity(request) || !isQuantity(limit)) return;
  const order = compareQuantity(request, limit);
  if (order !== 0 && !mayOvercommit(name)) errors.push(invalidValue(path.child('requests'), request, `must be equal to ${name} limit of ${limit}`));
  else if (order > 0) errors.push(invalidValue(path.child('requests'), request, `must be less than or equal to ${name} limit of ${limit}`));
}

/** Fields that a whole pod's resources may have. */
export function validatePodResources(resources: ResourceRequirements | undefined, path: Path, errors: FieldError[]): void {
  if (!resources) return;
  if (resources.claims?.length) errors.push(forbiddenField(path.child('claims'), 'claims may not be set for Resources at pod-level'));
  validateResources({ ...resources, claims: undefined }, new Set(), path, errors);
}
