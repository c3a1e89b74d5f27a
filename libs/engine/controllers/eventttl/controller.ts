import type { Event } from '../../api/core_v1.js';
import { Events } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { HOUR, MINUTE, parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { defineController } from '../../runtime/controller.js';
import { EventMinutes, minuteOf } from './event-minutes.js';

const TTL: Millis = HOUR;

/**
 * Events live for an hour after they were last written, as kube-apiserver's --event-ttl says; all that were written in
 * one minute share one timer. Models pkg/registry/core/event/storage, whose TTL etcd counts from each write.
 */
export const controller = defineController<Event, EventMinutes>({
  name: 'eventttl',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: { kind: Events, keys: (event) => [{ namespace: event.metadata.namespace!, name: minuteOf(event) }] },
  attach(observe) {
    const minutes = new EventMinutes();
    observe(Events, (old, next) => minutes.onEvent(old as Event | undefined, next as Event | undefined));
    return minutes;
  },
  reconcile({ client, now }, { namespace, name }, minutes) {
    const due = parseTimestamp(`${name}:00Z`) + MINUTE + TTL;
    if (due > now) return { requeueAfter: due - now };
    for (const event of minutes.until(namespace, name)) client.delete(Events, keyOf(event));
    return undefined;
  },
});
