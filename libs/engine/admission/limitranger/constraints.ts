import type { LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { addQuantities, compareQuantity, milliValue } from '../../machinery/quantity/quantity.js';

type Amounts = Readonly<Record<string, string>>;

const itemsOf = (range: LimitRange, type: string): readonly LimitRangeItem[] =>
  (range.spec.limits ?? []).filter((l) => l.type === type);

/** The constraints of the range that the pod or its containers violate, in upstream's words. */
export function validatePod(pod: Pod, range: LimitRange): string[] {
  const { containers = [], initContainers = [] } = pod.spec;
  const ofContainers = itemsOf(range, 'Container').flatMap((item) =>
    [...containers, ...initContainers].flatMap(({ resources: { requests = {}, limits = {} } = {} }) =>
      checkItem(item, { requests, limits }),
    ),
  );
  const total = { requests: sumResources(pod, 'requests'), limits: sumResources(pod, 'limits') };
  return [...ofContainers, ...itemsOf(range, 'Pod').flatMap((item) => checkItem(item, total))];
}

/** The constraints of the range that the claim's storage request violates, in upstream's words. */
export function validateClaim(claim: PersistentVolumeClaim, range: LimitRange): string[] {
  const { requests = {} } = claim.spec.resources ?? {};
  return itemsOf(range, 'PersistentVolumeClaim').flatMap((item) => [
    ...checkMinimum(item, { requests, limits: {} }),
    ...checkMaximumRequest(item, requests),
  ]);
}

/** The requests and limits of a container or a pod. */
interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

const checkItem = (item: LimitRangeItem, resources: Resources): string[] => [
  ...checkMinimum(item, resources),
  ...checkMaximum(item, resources),
  ...checkLimitRequestRatio(item, resources),
];

const collectErrors = (
  bounds: Amounts | undefined,
  check: (name: string, bound: string) => string | undefined,
): string[] => Object.entries(bounds ?? {}).flatMap(([name, bound]) => check(name, bound) ?? []);

/** Models minConstraint. */
const checkMinimum = ({ type, min }: LimitRangeItem, { requests, limits }: Resources): string[] =>
  collectErrors(min, (name, bound) => {
    const rule = `minimum ${name} usage per ${type} is ${bound}`;
    const [request, limit] = [requests[name], limits[name]];
    if (request === undefined) return `${rule}.  No request is specified`;
    if (compareQuantity(request, bound) < 0) return `${rule}, but request is ${request}`;
    return limit !== undefined && compareQuantity(limit, bound) < 0 ? `${rule}, but limit is ${limit}` : undefined;
  });

/** Models maxConstraint. */
const checkMaximum = ({ type, max }: LimitRangeItem, { requests, limits }: Resources): string[] =>
  collectErrors(max, (name, bound) => {
    const rule = `maximum ${name} usage per ${type} is ${bound}`;
    const [request, limit] = [requests[name], limits[name]];
    if (limit === undefined) return `${rule}.  No limit is specified`;
    if (compareQuantity(limit, bound) > 0) return `${rule}, but limit is ${limit}`;
    return request !== undefined && compareQuantity(request, bound) > 0
      ? `${rule}, but request is ${request}`
      : undefined;
  });

/** Models maxRequestConstraint. */
const checkMaximumRequest = ({ type, max }: LimitRangeItem, requests: Amounts): string[] =>
  collectErrors(max, (name, bound) => {
    const rule = `maximum ${name} usage per ${type} is ${bound}`;
    const request = requests[name];
    if (request === undefined) return `${rule}.  No request is specified`;
    return compareQuantity(request, bound) > 0 ? `${rule}, but request is ${request}` : undefined;
  });

/** Models limitRequestRatioConstraint. */
const checkLimitRequestRatio = (
  { type, maxLimitRequestRatio }: LimitRangeItem,
  { requests, limits }: Resources,
): string[] =>
  collectErrors(maxLimitRequestRatio, (name, bound) => {
    const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
    const [request, limit] = [milliValue(requests[name] ?? '0'), milliValue(limits[name] ?? '0')];
    if (request === 0) return `${rule}, but no request is specified or request is 0`;
    if (limit === 0) return `${rule}, but no limit is specified or limit is 0`;
    const ratio = limit / request;
    return ratio * 1000 > milliValue(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
  });

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
