import type { Container, LimitRange, Pod, ResourceRequirements } from '../../api/core_v1.js';

type Amounts = Readonly<Record<string, string>>;
const ANNOTATION = 'kubernetes.io/limit-ranger';

/**
 * Gives the pod's containers the default requests and limits of a range, and notes them in an annotation. True if the
 * pod changed: it may be invalid then, since a default limit may be below a container's request.
 */
export function setDefaults(pod: Pod, range: LimitRange): boolean {
  const limits: Record<string, string> = {};
  const requests: Record<string, string> = {};
  for (const item of range.spec.limits ?? []) {
    if (item.type !== 'Container') continue;
    Object.assign(limits, item.default);
    Object.assign(requests, item.defaultRequest);
  }
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return false;
  const notes: string[] = [];
  const fill =
    (what: string) =>
    (c: Container): Container => {
      const completed = mergeResources(c.resources ?? {}, limits, requests);
      if (completed.requests.length > 0)
        notes.push(`${completed.requests.sort().join(', ')} request for ${what} ${c.name}`);
      if (completed.limits.length > 0) notes.push(`${completed.limits.sort().join(', ')} limit for ${what} ${c.name}`);
      return completed.requests.length + completed.limits.length > 0 ? { ...c, resources: completed.resources } : c;
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
