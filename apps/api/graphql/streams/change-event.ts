import { selectors, restoreManagedFields, type AppliedChange, type KubeObject } from '@terrarium/engine';
import { LRUCache } from 'lru-cache';

/** One change as a subscriber sees it. */
export interface ChangeEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly revision: number;
  readonly actor: string;
  readonly cause: number;
  readonly at: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ChangeFilter {
  /** Storage key: 'deployments.apps'. */
  readonly resource?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
}

export type Matcher = (object: KubeObject) => boolean;

/** Matches objects by kind and labels. Throws ApiError 400 when the selector cannot be parsed. */
export function matcherOf({ labelSelector, apiVersion, kind }: ChangeFilter): Matcher {
  const requirements = labelSelector ? selectors.parseLabelSelector(labelSelector) : [];
  return (object) =>
    (kind === undefined || object.kind === kind) &&
    (apiVersion === undefined || object.apiVersion === apiVersion) &&
    selectors.matchesRequirements(requirements, object.metadata.labels);
}

/** Changes whose events are cached: subscribers of one change ask for its event within moments. */
const MAX_CACHED_CHANGES = 256;
// oxlint-disable-next-line house/no-module-state -- the last 256 changes, which reach nothing but themselves
const events = new LRUCache<AppliedChange, Map<ChangeEvent['type'], ChangeEvent>>({ max: MAX_CACHED_CHANGES });

/**
 * The event of a change, as of a watch: an object that begins to match is ADDED, one that no longer matches is DELETED.
 * Undefined when it matched neither before nor after. All subscribers get the same event of a change.
 */
export function changeEvent(change: AppliedChange, matches: Matcher): ChangeEvent | undefined {
  const matchedBefore = change.old !== undefined && matches(change.old);
  const matchesNow = change.type === 'put' && matches(change.object);
  if (!matchedBefore && !matchesNow) return undefined;
  const type = !matchesNow ? 'DELETED' : matchedBefore ? 'MODIFIED' : 'ADDED';
  let ofChange = events.get(change);
  if (!ofChange) events.set(change, (ofChange = new Map()));
  let event = ofChange.get(type);
  if (!event) ofChange.set(type, (event = toEvent(type, change)));
  return event;
}

const toEvent = (
  type: ChangeEvent['type'],
  { object, revision, actor, cause, at, resource, namespace, name }: AppliedChange,
): ChangeEvent => ({
  type,
  object: restoreManagedFields(object),
  revision,
  actor,
  cause,
  at: new Date(at).toISOString(),
  resource,
  namespace,
  name,
});
