import type { Event, ObjectReference } from '../api/core_v1.js';
import type { Client } from '../machinery/client.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { MINUTE, microTimestamp, parseTimestamp, timestamp, type Millis } from '../machinery/time/time.js';
import type { EventOptions } from './controller.js';

/** Similar events within the window, from so many different messages on, are combined into one. */
const MAX_SIMILAR = 10;
const SIMILAR_WINDOW: Millis = 10 * MINUTE;
/** The spam filter's token bucket. */
const BURST = 25;
const REFILL: Millis = 5 * MINUTE;
const NANOS_PER_MILLI = 1_000_000;
/** Six hexadecimal digits. */
const HALF = 0x1000000;
const COMBINED = '(combined from similar events): ';

export interface EventSource {
  readonly component: string;
  readonly host?: string;
}

interface Recording {
  readonly client: Client;
  readonly now: Millis;
  readonly events: Kind<Event>;
  readonly source: EventSource;
}

/**
 * Writes an Event, or counts it into one that says the same. What client-go's correlator remembers (how many similar
 * events there are, and how many a source has recorded of one object) is read off the events themselves.
 * Models client-go/tools/record/events_cache.go.
 */
export function recordEvent(
  r: Recording,
  object: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  options: EventOptions,
): void {
  const { fieldPath } = options;
  const past = r.client
    .byIndex(r.events, 'involvedUid', object.metadata.uid ?? '')
    .filter((e) => sourceOf(e) === r.source.component);
  if (isSpam(past, r.now)) return;
  const alike = past.filter((e) => e.reason === reason && e.type === type && r.now - lastSeen(e) <= SIMILAR_WINDOW);
  const messages = new Set(alike.map((e) => e.message));
  const text = messages.size + 1 >= MAX_SIMILAR && !messages.has(message) ? COMBINED + message : message;
  const same = alike.find(
    (e) =>
      (e.message === text && e.involvedObject.fieldPath === fieldPath) ||
      (text !== message && e.message?.startsWith(COMBINED)),
  );
  if (same) countAgain(r, same, text);
  else r.client.create(r.events, newEvent(r, object, type, reason, text, options));
}

const sourceOf = (e: Event): string => e.source?.component || e.reportingComponent || '';
const lastSeen = (e: Event): Millis =>
  parseTimestamp(e.lastTimestamp ?? e.eventTime ?? e.metadata.creationTimestamp ?? '');

/** Whether the source has spent its tokens: 25, and one more each five minutes. Models EventSourceObjectSpamFilter. */
function isSpam(past: readonly Event[], now: Millis): boolean {
  if (past.length < BURST / 2) {
    let quick = 0;
    for (const e of past) quick += e.count ?? 1;
    if (quick < BURST) return false;
  }
  let spent = 0;
  let first = now;
  for (const e of past) {
    spent += e.count ?? e.series?.count ?? 1;
    first = Math.min(first, parseTimestamp(e.firstTimestamp ?? e.eventTime ?? e.metadata.creationTimestamp ?? ''));
  }
  return spent >= BURST + Math.floor((now - first) / REFILL);
}

function countAgain(r: Recording, event: Event, message: string): void {
  if (event.eventTime && !event.firstTimestamp) {
    r.client.update(r.events, {
      ...event,
      series: { count: (event.series?.count ?? 1) + 1, lastObservedTime: microTimestamp(r.now) },
    });
    return;
  }
  r.client.update(r.events, { ...event, message, count: (event.count ?? 1) + 1, lastTimestamp: timestamp(r.now) });
}

/** A time in ns as hexadecimal digits, without the cost of big integers: the number is put together from two halves. */
function nanosecondsHex(now: Millis, nanos: number): string {
  const low = (now % HALF) * NANOS_PER_MILLI + nanos;
  const high = Math.floor(now / HALF) * NANOS_PER_MILLI + Math.floor(low / HALF);
  return high.toString(16) + (low % HALF).toString(16).padStart(6, '0');
}

/** Upstream names events by nanoseconds; the revision keeps two of one instant apart. */
export const eventName = (object: string, { now, client }: Pick<Recording, 'now' | 'client'>): string =>
  `${object}.${nanosecondsHex(now, client.revision % NANOS_PER_MILLI)}`;

function newEvent(
  r: Recording,
  object: KubeObject,
  type: string,
  reason: string,
  message: string,
  options: EventOptions,
): Event {
  const { name = '', namespace = 'default' } = object.metadata;
  const event: Event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(name, r), namespace },
    involvedObject: reference(object, options.fieldPath),
    reason,
    message,
    type,
    source: r.source,
    reportingComponent: r.source.component,
    reportingInstance: r.source.host ?? '',
  };
  if (options.action) {
    event.source = {};
    event.eventTime = microTimestamp(r.now);
    event.action = options.action;
    event.reportingInstance = `${r.source.component}-${r.source.host ?? 'control-plane'}`;
    return event;
  }
  event.firstTimestamp = event.lastTimestamp = timestamp(r.now);
  event.count = 1;
  return event;
}

function reference(object: KubeObject, fieldPath: string | undefined): ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const to: ObjectReference = { kind: object.kind, apiVersion: object.apiVersion, name, uid };
  if (namespace) to.namespace = namespace;
  if (resourceVersion) to.resourceVersion = resourceVersion;
  if (fieldPath) to.fieldPath = fieldPath;
  return to;
}
