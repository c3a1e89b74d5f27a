import { nextTime } from '../../machinery/time/cron-schedule.js';
import { parseSchedule } from '../../machinery/time/cron.js';
import { parseTimestamp, timestamp, type Millis } from '../../machinery/time/time.js';
import type { Context, Result } from '../../runtime/controller.js';
import { servedKind, writeCustomStatus } from '../custom-status.js';
import { createEvent } from '../plain-event.js';
import { API_VERSION, EXPERIMENTS, FIELD_OF, Schedules, type ChaosObject } from './objects.js';

const MANAGED_BY = 'managed-by';

/** Makes an experiment at each time of a Schedule. Models chaos-mesh/controllers/schedule. */
export function syncSchedule(context: Context, object: ChaosObject): Result | void {
  const { client, now } = context;
  const { schedule = '', type = '', historyLimit = 1 } = object.spec ?? {};
  const kind = EXPERIMENTS[type];
  const field = FIELD_OF[type];
  if (!kind || field === undefined || object.metadata.deletionTimestamp) return;
  const last = object.status?.['time'];
  const since = parseTimestamp(typeof last === 'string' ? last : (object.metadata.creationTimestamp ?? timestamp(now)));
  const due = dueAfter(schedule, since);
  if (due === undefined) return;
  if (due > now) return { requeueAfter: due - now };
  const { namespace = '', name = '', uid = '' } = object.metadata;
  const child = `${name}-${context.random.suffix(5)}`;
  client.create(servedKind(client, kind), {
    apiVersion: API_VERSION,
    kind: type,
    metadata: {
      name: child,
      namespace,
      labels: { [MANAGED_BY]: name },
      ownerReferences: [{ apiVersion: API_VERSION, kind: 'Schedule', name, uid, controller: true }],
    },
    spec: object.spec?.[field] as ChaosObject['spec'],
  } as ChaosObject);
  createEvent(context, object, {
    ...{ component: 'schedule-cron', type: 'Normal', reason: 'Spawned', message: `Create new object: ${child}` },
  });
  const own = client.list(kind, namespace).filter(({ metadata }) => metadata.labels?.[MANAGED_BY] === name);
  const old = [...own]
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1))
    .slice(0, Math.max(0, own.length - Math.max(1, historyLimit)));
  for (const { metadata } of old) client.delete(kind, { namespace, name: metadata.name ?? '' });
  const active = [{ apiVersion: API_VERSION, kind: type, name: child, namespace }];
  writeCustomStatus(context, Schedules, object, { ...object.status, time: timestamp(now), active });
  const next = dueAfter(schedule, now);
  if (next !== undefined) return { requeueAfter: next - now };
}

/** The next time after a moment; undefined: it is no schedule. */
function dueAfter(text: string, since: Millis): Millis | undefined {
  const schedule = parseSchedule(text);
  return typeof schedule === 'string' ? undefined : nextTime(schedule, since);
}
