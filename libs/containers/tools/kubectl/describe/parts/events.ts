import { type EventParts, intervalOf } from '../../commands/info/server.js';
import type { ApiObject, Session } from '../../session/session.js';
import type { Details } from './details.js';

interface Event extends Omit<EventParts, 'involvedObject'> {
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly involvedObject?: { readonly fieldPath?: string; readonly kind?: string; readonly name?: string };
}

/** The events of an object, the oldest first. */
export function describeEvents(session: Session, details: Details, object: ApiObject): void {
  if (session.flags.value('show-events') === 'false' || !details.withEvents) return;
  const { name = '', namespace = '', uid = '' } = object.metadata ?? {};
  const fields = [
    `involvedObject.name=${name}`,
    `involvedObject.namespace=${namespace}`,
    `involvedObject.kind=${object.kind ?? ''}`,
    `involvedObject.uid=${object.kind === 'Node' ? name : uid}`,
  ];
  const list = session.get(
    `/api/v1/${namespace === '' ? '' : `namespaces/${namespace}/`}events?fieldSelector=${encodeURIComponent((namespace === '' ? fields.filter((one) => !one.includes('namespace')) : fields).join(','))}`,
  );
  const found = (list['items'] ?? []) as readonly Event[];
  if (found.length === 0) return details.line(0, 'Events:\t<none>');
  const lastOf = (one: Event): string => one.lastTimestamp ?? one.series?.lastObservedTime ?? one.eventTime ?? '';
  const sorted = [...found].sort((a, b) => (lastOf(a) < lastOf(b) ? -1 : lastOf(a) > lastOf(b) ? 1 : 0));
  details.line(0, 'Events:');
  details.line(1, 'Type\tReason\tAge\tFrom\tMessage');
  details.line(1, '----\t------\t----\t----\t-------');
  for (const one of sorted) {
    const path = one.involvedObject?.fieldPath;
    const message = `${path ? `${path}: ` : ''}${(one.message ?? '').trim()}`;
    const source = one.source?.component || one.reportingComponent || '';
    details.line(1, [one.type ?? '', one.reason ?? '', intervalOf(one, session.now), source, message].join('\t'));
  }
}
