import type { Event } from '../api/core_v1.js';
import { Events } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { timestamp } from '../machinery/time/time.js';
import type { Context } from '../runtime/controller.js';
import { eventName } from '../runtime/events.js';

export interface PlainEvent {
  /** Absent: one of its own, as client-go's. */
  readonly name?: string;
  readonly component: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/**
 * Creates an Event as programs do that have no recorder of client-go: nothing is combined or held back. One of a given
 * name that is there is counted, and says what was said last.
 */
export function createEvent({ client, now }: Context, object: KubeObject, event: PlainEvent): void {
  const { component, type, reason, message } = event;
  const { name = '', namespace = 'default', uid } = object.metadata;
  const key = { namespace, name: event.name ?? eventName(name, { client, now }) };
  const stamp = timestamp(now);
  const known = event.name === undefined ? undefined : client.get(Events, key);
  if (known) {
    const count = (known.count ?? 1) + 1;
    client.update(Events, { ...known, count, message, source: { component }, lastTimestamp: stamp });
    return;
  }
  client.create(Events, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: key,
    involvedObject: { kind: object.kind, apiVersion: object.apiVersion, name, namespace, ...(uid ? { uid } : {}) },
    ...{ reason, message, type, source: { component }, firstTimestamp: stamp, lastTimestamp: stamp, count: 1 },
  } as Event);
}
