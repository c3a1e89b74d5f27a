import type { Event } from '../../api/core_v1.js';
import { Events } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { HOUR, MINUTE, parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { defineController } from '../../runtime/controller.js';

const TTL: Millis = HOUR;

/**
 * Events live for an hour, as kube-apiserver's --event-ttl says; all that were last seen in one minute share one timer.
 */
export const controller = defineController({
  name: 'eventttl',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: { kind: Events, keys: (event) => [{ namespace: event.metadata.namespace!, name: minuteOf(event) }] },
  reconcile({ client, now }, { namespace, name }) {
    const due = parseTimestamp(`${name}:00Z`) + MINUTE + TTL;
    if (due > now) return { requeueAfter: due - now };
    for (const event of client.list(Events, namespace))
      if (minuteOf(event) <= name) client.delete(Events, keyOf(event));
    return undefined;
  },
});

/** '2026-01-01T00:05': minutes order as their texts do, and need no parsing on the hot path. */
const minuteOf = (event: Event): string =>
  (
    event.series?.lastObservedTime ??
    event.lastTimestamp ??
    event.eventTime ??
    event.metadata.creationTimestamp ??
    ''
  ).slice(0, 16);
