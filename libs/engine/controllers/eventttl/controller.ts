import type { Event } from '../../api/core_v1.js';
import { Events } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { HOUR, MINUTE, parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { defineController } from '../../runtime/controller.js';

const TTL: Millis = HOUR;

/**
 * Events live for an hour after they were last written, as kube-apiserver's --event-ttl says; all that were written in
 * one minute share one timer. Models pkg/registry/core/event/storage, whose TTL etcd counts from each write.
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
const minuteOf = (event: Event): string => writtenAt(event).slice(0, 16);

/** The time of the last write, by the managers of the event's fields; the times that the event names are no matter. */
function writtenAt({ metadata }: Event): string {
  let last = metadata.creationTimestamp ?? '';
  for (const { time = '' } of metadata.managedFields ?? []) if (time > last) last = time;
  return last;
}
