import { Events } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { parseTimestamp, type Millis } from '../machinery/time/time.js';
import type { Context } from '../runtime/controller.js';

export interface BackOff {
  readonly first: Millis;
  readonly longest: Millis;
}

/**
 * How long what has failed rests before it is tried again, in virtual ms; 0: it is tried now. A controller keeps no
 * memory: how often it has failed, and when last, are what the object's Events of the reason (and of a component) tell.
 * Each rest is twice the one before. Models client-go/util/workqueue ItemExponentialFailureRateLimiter.
 */
export function restUntilRetry(
  { client, now }: Pick<Context, 'client' | 'now'>,
  { metadata: { uid = '' } }: KubeObject,
  reason: string,
  { first, longest }: BackOff,
  component?: string,
): Millis {
  let [failures, last] = [0, 0];
  for (const event of client.byIndex(Events, 'involvedUid', uid)) {
    if (event.reason !== reason || (component !== undefined && event.source?.component !== component)) continue;
    failures += event.count ?? 1;
    last = Math.max(last, parseTimestamp(event.lastTimestamp ?? event.metadata.creationTimestamp ?? ''));
  }
  if (failures === 0) return 0;
  // An Event's times have whole seconds.
  const due = last + Math.min(first * 2 ** Math.min(failures - 1, MOST_DOUBLINGS), longest);
  return Math.max(0, due - now);
}

/** No rest is doubled more often, whatever the longest is. */
const MOST_DOUBLINGS = 30;
