import type { Node } from '../../api/core_v1.js';
import type { NodeSelectorTerm } from '../../api/core_v1.js';
import type { AllocationResult, DeviceAllocationConfiguration, ResourceClaim } from '../../api/resource_v1.js';
import { isAdminAccess, type Given } from './allocator.js';
import { placeOf } from './pools.js';

/** What a claim's status says of its devices. Models structured allocator's Allocate and createNodeSelector. */
export function allocationResult(claim: ResourceClaim, given: readonly Given[], node: Node): AllocationResult {
  const config = configurations(claim, given);
  const results = given.map(({ wish, found: { driver, pool, device } }) => ({
    request: wish.name,
    driver,
    pool,
    device: device.name,
    ...(isAdminAccess(wish) ? { adminAccess: true } : {}),
    ...(wish.ask.tolerations?.length ? { tolerations: wish.ask.tolerations } : {}),
  }));
  const nodeSelector = selectorOf(given, node);
  return {
    devices: { results, ...(config.length > 0 ? { config } : {}) },
    ...(nodeSelector ? { nodeSelector } : {}),
  };
}

/** Those of the classes come first, so that those of the claim may override them. */
function configurations(claim: ResourceClaim, given: readonly Given[]): DeviceAllocationConfiguration[] {
  const wishes = new Map(given.map(({ wish }) => [wish.name, wish]));
  const ofClasses = [...wishes.values()].flatMap(({ name, deviceClass }) =>
    (deviceClass.spec.config ?? []).map(({ opaque }) => ({
      source: 'FromClass',
      requests: [name],
      ...(opaque ? { opaque } : {}),
    })),
  );
  const isUsed = (request: string): boolean =>
    [...wishes.keys()].some((name) => name === request || name.startsWith(`${request}/`));
  const ofClaim = (claim.spec.devices?.config ?? [])
    .filter(({ requests = [] }) => requests.length === 0 || requests.some(isUsed))
    .map(({ requests, opaque }) => ({
      source: 'FromClaim',
      ...(requests?.length ? { requests } : {}),
      ...(opaque ? { opaque } : {}),
    }));
  return [...ofClasses, ...ofClaim];
}

/** Where the devices are reached from; undefined: everywhere. */
function selectorOf(given: readonly Given[], node: Node): AllocationResult['nodeSelector'] {
  const places = given.map(({ found }) => placeOf(found));
  if (places.some(({ nodeName }) => nodeName)) {
    const values = [node.metadata.name ?? ''];
    return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values }] }] };
  }
  const terms = places.flatMap(({ nodeSelector }): NodeSelectorTerm[] => nodeSelector?.nodeSelectorTerms ?? []);
  if (terms.length === 0) return undefined;
  const matchExpressions = unique(terms.flatMap((term) => term.matchExpressions ?? []));
  const matchFields = unique(terms.flatMap((term) => term.matchFields ?? []));
  return {
    nodeSelectorTerms: [
      {
        ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
        ...(matchFields.length > 0 ? { matchFields } : {}),
      },
    ],
  };
}

const unique = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item] as const)).values(),
];
