import type { DeviceConstraint, DeviceTaint, ResourceClaim } from '../../api/resource_v1.js';
import type { Node } from '../../api/core_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { toleratesTaint } from '../../machinery/scheduling/tolerations.js';
import { findAttribute } from './device-value.js';
import { SelectorError, type Matcher } from './matcher.js';
import type { PoolDevice } from './pool-device.js';
import type { Pool, PublishedDevices } from './pools.js';
import type { ClaimWishes, Wish } from './wishes.js';

/** Devices that are tried for the claims of one pod on one node. */
const MAX_STEPS = 10_000;
/** Of one claim: AllocationResultsMaxSize. */
const MAX_RESULTS = 32;

/** A device that a request gets. */
export interface Given {
  readonly wish: Wish;
  readonly found: PoolDevice;
}

/** What each claim gets; a text: why a selector cannot be evaluated; undefined: the node has not enough devices. */
export type Allocation = ReadonlyMap<ResourceClaim, readonly Given[]> | string | undefined;

/** The devices that claims have. Those of administrators are taken from nobody. */
export function takenDevices(claims: readonly ResourceClaim[]): Set<string> {
  const results = claims.flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
  return new Set(
    results
      .filter(({ adminAccess }) => adminAccess !== true)
      .map(({ driver, pool, device }) => `${driver}/${pool}/${device}`),
  );
}

/**
 * Chooses devices of a node for claims, in the order of slices and devices, with steps back when a later request finds
 * none. Models dynamic-resource-allocation/structured. Left out: counters that devices share, consumable capacity.
 */
export function allocateDevices(
  wishes: readonly ClaimWishes[],
  published: PublishedDevices,
  node: Node,
  taken: ReadonlySet<string>,
): Allocation {
  return new Allocator(wishes, published.poolsOf(node), published.matcher, new Set(taken)).run();
}

type Requests = ClaimWishes['requests'];

class Allocator {
  private readonly given = new Map<ResourceClaim, Given[]>();
  private steps = 0;

  constructor(
    private readonly wishes: readonly ClaimWishes[],
    private readonly pools: readonly Pool[],
    private readonly matcher: Matcher,
    private readonly taken: Set<string>,
  ) {}

  run(): Allocation {
    for (const { claim } of this.wishes) this.given.set(claim, []);
    try {
      return this.giveClaim(0) ? this.given : undefined;
    } catch (problem) {
      if (problem instanceof SelectorError) return problem.message;
      throw problem;
    }
  }

  private giveClaim(index: number): boolean {
    const wishes = this.wishes[index];
    return wishes === undefined || this.giveRequest(wishes, 0, () => this.giveClaim(index + 1));
  }

  /** Tries the ways to fulfil a request, then what comes after it. */
  private giveRequest(wishes: ClaimWishes, index: number, then: () => boolean): boolean {
    const request: Requests[number] | undefined = wishes.requests[index];
    if (!request) return then();
    const next = (): boolean => this.giveRequest(wishes, index + 1, then);
    return request.ways.some((wish) =>
      wish.ask.allocationMode === 'All'
        ? this.giveAll(wishes, wish, next)
        : this.give(wishes, wish, wish.ask.count ?? 1, next),
    );
  }

  private give(wishes: ClaimWishes, wish: Wish, count: number, then: () => boolean): boolean {
    if (count === 0) return then();
    for (const { devices, isIncomplete } of this.pools) {
      if (isIncomplete) continue;
      for (const found of devices) {
        if (++this.steps > MAX_STEPS) return false;
        if (!this.take(wishes, wish, found)) continue;
        if (this.give(wishes, wish, count - 1, then)) return true;
        this.giveBack(wishes, found);
      }
    }
    return false;
  }

  /** All devices that match, of which there must be one; one that is taken leaves none of them. */
  private giveAll(wishes: ClaimWishes, wish: Wish, then: () => boolean): boolean {
    const all: PoolDevice[] = [];
    for (const { devices, isIncomplete } of this.pools) {
      const own = devices.filter((found) => this.matches(wish, found));
      if (own.length > 0 && isIncomplete) return false;
      all.push(...own);
    }
    const done: PoolDevice[] = [];
    const isGiven = all.length > 0 && all.every((found) => this.take(wishes, wish, found) && done.push(found));
    if (isGiven && then()) return true;
    for (const found of done.reverse()) this.giveBack(wishes, found);
    return false;
  }

  private take({ claim }: ClaimWishes, wish: Wish, found: PoolDevice): boolean {
    const given = this.given.get(claim)!;
    const isAdmin = isAdminAccess(wish);
    if (given.length >= MAX_RESULTS || (!isAdmin && this.taken.has(found.id))) return false;
    if (isAdmin && given.some((one) => one.found.id === found.id)) return false;
    if (!this.matches(wish, found)) return false;
    const constraints = claim.spec.devices?.constraints ?? [];
    if (!constraints.every((constraint) => agrees(constraint, wish, found, given))) return false;
    if (!isAdmin) this.taken.add(found.id);
    given.push({ wish, found });
    return true;
  }

  private giveBack({ claim }: ClaimWishes, found: PoolDevice): void {
    const one = this.given.get(claim)!.pop();
    if (one && !isAdminAccess(one.wish)) this.taken.delete(found.id);
  }

  private matches(wish: Wish, found: PoolDevice): boolean {
    return isTolerated(found.device.taints, wish) && this.matcher.matches(wish, found);
  }
}

export const isAdminAccess = ({ ask }: Wish): boolean => 'adminAccess' in ask && ask.adminAccess === true;

const isTolerated = (taints: readonly DeviceTaint[] = [], { ask }: Wish): boolean =>
  taints
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
    .every((taint) => (ask.tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint)));

/** Whether a device fits those that the constrained requests have already. */
function agrees(constraint: DeviceConstraint, wish: Wish, found: PoolDevice, given: readonly Given[]): boolean {
  const { requests = [], matchAttribute, distinctAttribute } = constraint;
  const isMeant = ({ name }: Wish): boolean =>
    requests.length === 0 || requests.includes(name) || requests.includes(name.split('/', 1)[0]!);
  const wanted = matchAttribute ?? distinctAttribute;
  if (wanted === undefined || !isMeant(wish)) return true;
  const value = findAttribute(found.driver, found.device, wanted);
  if (value === undefined) return false;
  return given
    .filter((one) => isMeant(one.wish))
    .every(({ found: { driver, device } }) => {
      const isSame = deepEqual(findAttribute(driver, device, wanted), value);
      return matchAttribute === undefined ? !isSame : isSame;
    });
}
