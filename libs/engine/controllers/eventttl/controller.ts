import type { Event } from '../../api/core_v1.js';
import { Events } from '../../kinds/index.js';
import { keyOf } from '../../machinery/object.js';
import { HOUR, MINUTE, parseTimestamp, type Millis } from '../../machinery/time.js';
import { defineController } from '../../runtime/controller.js';

const TTL: Millis = HOUR;

/** Events live for an hour, as kube-apiserver's --event-ttl says; all that were last seen in one minute share one timer. */
export const controller = defineController({
  name: 'eventttl',
  component: 'terrarium',
  actor: 'system:apiserver',
  order: 900,
  for: { kind: Events, keys: (event) => [{ namespace: event.metadata.namespace!, name: String(minuteOf(event)) }] },
  reconcile({ client, now }, { namespace, name }) {
    const due = (Number(name) + 1) * MINUTE + TTL;
    if (due > now) return { requeueAfter: due - now };
    for (const event of client.list(Events, namespace)) if (minuteOf(event) <= Number(name)) client.delete(Events, keyOf(event));
    return undefined;
  },
});

const minuteOf = (event: Event): number =>
  Math.floor(parseTimestamp(event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '') / MINUTE);
