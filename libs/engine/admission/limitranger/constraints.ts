import type { LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { addQuantities, compareQuantity, milliValue } from '../../machinery/quantity/quantity.js';

type Amounts = Readonly<Record<string, string>>;

const itemsOf = (range: LimitRange, type: string): readonly LimitRangeItem[] =>
  (range.spec.limits ?? []).filter((l) => l.type === type);

/** The constraints of the range that the pod or its containers violate, in upstream's words. */
export function validatePod(pod: Pod, range: LimitRange): string[] {
  const errors: string[] = [];
  const { containers = [], initContainers = [] } = pod.spec;
  for (const item of itemsOf(range, 'Container'))
    for (const c of [...containers, ...initContainers])
      errors.push(...checkLimits(item, c.resources?.requests ?? {}, c.resources?.limits ?? {}));
  for (const item of itemsOf(range, 'Pod'))
    errors.push(...checkLimits(item, sumResources(pod, 'requests'), sumResources(pod, 'limits')));
  return errors;
}

/** The constraints of the range that the claim's storage request violates, in upstream's words. */
export function validateClaim(claim: PersistentVolumeClaim, range: LimitRange): string[] {
  const request = claim.spec.resources?.requests ?? {};
  return itemsOf(range, 'PersistentVolumeClaim').flatMap((item) => [
    ...Object.entries(item.min ?? {}).flatMap(([name, min]) =>
      checkMinimum(item.type, name, min, request[name], undefined),
    ),
    ...Object.entries(item.max ?? {}).flatMap(([name, max]) =>
      checkMaximumRequest(item.type, name, max, request[name]),
    ),
  ]);
}

function checkLimits(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  return [
    ...Object.entries(item.min ?? {}).flatMap(([name, min]) =>
      checkMinimum(item.type, name, min, requests[name], limits[name]),
    ),
    ...Object.entries(item.max ?? {}).flatMap(([name, max]) =>
      checkMaximum(item.type, name, max, requests[name], limits[name]),
    ),
    ...Object.entries(item.maxLimitRequestRatio ?? {}).flatMap(([name, most]) =>
      checkLimitRequestRatio(item.type, name, most, requests[name], limits[name]),
    ),
  ];
}

function checkMinimum(
  type: string,
  name: string,
  min: string,
  request: string | undefined,
  limit: string | undefined,
): string[] {
  const rule = `minimum ${name} usage per ${type} is ${min}`;
  if (request === undefined) return [`${rule}.  No request is specified`];
  if (compareQuantity(request, min) < 0) return [`${rule}, but request is ${request}`];
  return limit !== undefined && compareQuantity(limit, min) < 0 ? [`${rule}, but limit is ${limit}`] : [];
}

function checkMaximum(
  type: string,
  name: string,
  max: string,
  request: string | undefined,
  limit: string | undefined,
): string[] {
  const rule = `maximum ${name} usage per ${type} is ${max}`;
  if (limit === undefined) return [`${rule}.  No limit is specified`];
  if (compareQuantity(limit, max) > 0) return [`${rule}, but limit is ${limit}`];
  return request !== undefined && compareQuantity(request, max) > 0 ? [`${rule}, but request is ${request}`] : [];
}

function checkMaximumRequest(type: string, name: string, max: string, request: string | undefined): string[] {
  const rule = `maximum ${name} usage per ${type} is ${max}`;
  if (request === undefined) return [`${rule}.  No request is specified`];
  return compareQuantity(request, max) > 0 ? [`${rule}, but request is ${request}`] : [];
}

function checkLimitRequestRatio(
  type: string,
  name: string,
  most: string,
  request: string | undefined,
  limit: string | undefined,
): string[] {
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  if (request === undefined || milliValue(request) === 0)
    return [`${rule}, but no request is specified or request is 0`];
  if (limit === undefined || milliValue(limit) === 0) return [`${rule}, but no limit is specified or limit is 0`];
  const found = milliValue(limit) / milliValue(request);
  return found * 1000 > milliValue(most) ? [`${rule}, but provided ratio is ${found.toFixed(6)}`] : [];
}

/** The sum over a pod's containers, or the amount of the largest init container where that is more. */
function sumResources(pod: Pod, what: 'requests' | 'limits'): Amounts {
  const sum: Record<string, string> = {};
  for (const c of pod.spec.containers ?? []) {
    for (const [name, amount] of Object.entries(c.resources?.[what] ?? {}))
      sum[name] = sum[name] === undefined ? amount : addQuantities(sum[name], amount);
  }
  for (const c of pod.spec.initContainers ?? []) {
    for (const [name, amount] of Object.entries(c.resources?.[what] ?? {}))
      if (sum[name] === undefined || compareQuantity(amount, sum[name]) > 0) sum[name] = amount;
  }
  return sum;
}
