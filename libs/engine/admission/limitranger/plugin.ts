import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
  ResourceRequirements,
} from '../../api/core_v1.js';
import { kind as LimitRanges } from '../../kinds/core/limitrange/kind.js';
import { addQuantities, compareQuantity, quantityValue } from '../../machinery/quantity/quantity.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';

type Amounts = Readonly<Record<string, string>>;
const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Fills in and holds the limits of a namespace. Models plugin/pkg/admission/limitranger. */
export const plugin: AdmissionPlugin = {
  name: 'LimitRanger',
  resources: ['pods', 'persistentvolumeclaims'],
  mutate(request) {
    if (request.operation !== 'CREATE' || request.subresource || request.kind.kind !== 'Pod') return;
    for (const range of rangesOf(request)) if (setDefaults(request.object as Pod, range)) request.revalidate();
  },
  validate(request) {
    if (request.operation !== 'CREATE' || request.subresource) return;
    for (const range of rangesOf(request)) {
      const why =
        request.kind.kind === 'Pod'
          ? validatePod(request.object as Pod, range)
          : validateClaim(request.object as PersistentVolumeClaim, range);
      if (why.length > 0) throw refuseNamed(request, why.length === 1 ? why[0]! : `[${why.join(', ')}]`);
    }
  },
};

const rangesOf = (request: AdmissionRequest): readonly LimitRange[] =>
  request.client.list(LimitRanges, request.namespace);
const itemsOf = (range: LimitRange, type: string): readonly LimitRangeItem[] =>
  (range.spec.limits ?? []).filter((l) => l.type === type);

// ---- defaults ----

/** Says whether it changed anything: a default limit may lie below a request. */
function setDefaults(pod: Pod, range: LimitRange): boolean {
  const limits: Record<string, string> = {};
  const requests: Record<string, string> = {};
  for (const item of itemsOf(range, 'Container')) {
    Object.assign(limits, item.default);
    Object.assign(requests, item.defaultRequest);
  }
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return false;
  const notes: string[] = [];
  const fill =
    (what: string) =>
    (c: Container): Container => {
      const merged = mergeResources(c.resources ?? {}, limits, requests);
      if (merged.requests.length > 0) notes.push(`${merged.requests.sort().join(', ')} request for ${what} ${c.name}`);
      if (merged.limits.length > 0) notes.push(`${merged.limits.sort().join(', ')} limit for ${what} ${c.name}`);
      return merged.requests.length + merged.limits.length > 0 ? { ...c, resources: merged.resources } : c;
    };
  const spec = (pod.spec = { ...pod.spec });
  spec.containers = spec.containers?.map(fill('container'));
  if (spec.initContainers) spec.initContainers = spec.initContainers.map(fill('init container'));
  if (notes.length > 0)
    pod.metadata.annotations = {
      ...pod.metadata.annotations,
      [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}`,
    };
  return notes.length > 0;
}

function mergeResources(
  own: ResourceRequirements,
  limits: Amounts,
  requests: Amounts,
): { resources: ResourceRequirements; limits: string[]; requests: string[] } {
  const missing = (have: Amounts | undefined, defaults: Amounts): string[] =>
    Object.keys(defaults).filter((r) => have?.[r] === undefined);
  const [newLimits, newRequests] = [missing(own.limits, limits), missing(own.requests, requests)];
  const pick = (from: Amounts, names: string[]): Record<string, string> =>
    Object.fromEntries(names.map((n) => [n, from[n]!]));
  const resources: ResourceRequirements = { ...own };
  if (newLimits.length > 0) resources.limits = { ...own.limits, ...pick(limits, newLimits) };
  if (newRequests.length > 0) resources.requests = { ...own.requests, ...pick(requests, newRequests) };
  return { resources, limits: newLimits, requests: newRequests };
}

// ---- constraints ----

function validatePod(pod: Pod, range: LimitRange): string[] {
  const faults: string[] = [];
  const { containers = [], initContainers = [] } = pod.spec;
  for (const item of itemsOf(range, 'Container'))
    for (const c of [...containers, ...initContainers])
      faults.push(...checkLimits(item, c.resources?.requests ?? {}, c.resources?.limits ?? {}));
  for (const item of itemsOf(range, 'Pod'))
    faults.push(...checkLimits(item, sumResources(pod, 'requests'), sumResources(pod, 'limits')));
  return faults;
}

function validateClaim(claim: PersistentVolumeClaim, range: LimitRange): string[] {
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
  if (request === undefined || quantityValue(request) === 0)
    return [`${rule}, but no request is specified or request is 0`];
  if (limit === undefined || quantityValue(limit) === 0) return [`${rule}, but no limit is specified or limit is 0`];
  const found = quantityValue(limit) / quantityValue(request);
  return found > quantityValue(most) ? [`${rule}, but provided ratio is ${found.toFixed(6)}`] : [];
}

/** A pod's sum over its containers, at least the largest init container. */
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
