import type { Event } from '../../../api/core_v1.js';
import { column, nameColumn, wide } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageSince, type Millis } from '../../../machinery/time/time.js';
import { validateEvent } from './validation.js';

export { validateEvent } from './validation.js';

const firstSeen = (e: Event): string | undefined => e.firstTimestamp || e.eventTime || undefined;
const lastSeen = (e: Event): string | undefined => e.series?.lastObservedTime ?? e.lastTimestamp ?? firstSeen(e);
const age = (at: string | undefined, now: Millis): string => ageSince(at, now);

const objectCell = ({ involvedObject: { kind: k = '', name } }: Event): string =>
  name ? `${k.toLowerCase()}/${name}` : k.toLowerCase();
const sourceCell = ({ source, reportingComponent, reportingInstance }: Event): string =>
  [source?.component || reportingComponent || '', source?.host || (source?.component ? '' : (reportingInstance ?? ''))]
    .filter(Boolean)
    .join(', ');

export const kind = defineKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  scope: 'Namespaced',
  // Programs that make their own events put their reasons in front of the names.
  nameRule: 'pathSegment',
  createOnUpdate: true,
  definition: 'io.k8s.api.core.v1.Event',
  generation: false,
  fieldSelectors: {
    'involvedObject.kind': (e) => e.involvedObject.kind ?? '',
    'involvedObject.namespace': (e) => e.involvedObject.namespace ?? '',
    'involvedObject.name': (e) => e.involvedObject.name ?? '',
    'involvedObject.uid': (e) => e.involvedObject.uid ?? '',
    'involvedObject.apiVersion': (e) => e.involvedObject.apiVersion ?? '',
    'involvedObject.resourceVersion': (e) => e.involvedObject.resourceVersion ?? '',
    'involvedObject.fieldPath': (e) => e.involvedObject.fieldPath ?? '',
    reason: (e) => e.reason ?? '',
    reportingComponent: (e) => e.reportingComponent ?? '',
    source: (e) => e.source?.component || (e.reportingComponent ?? ''),
    type: (e) => e.type ?? '',
  },
  indexes: { involvedUid: (e) => (e.involvedObject.uid ? [e.involvedObject.uid] : []) },
  columns: [
    column('Last Seen', 'When it last happened.', (e, now) => age(lastSeen(e), now)),
    column('Type', 'Normal or Warning.', (e) => e.type ?? ''),
    column('Reason', 'Why, in one word.', (e) => e.reason ?? ''),
    column('Object', 'What it happened to.', objectCell),
    wide('Subobject', 'Which part of the object.', (e) => e.involvedObject.fieldPath ?? ''),
    wide('Source', 'Who reports it.', sourceCell),
    column('Message', 'What happened.', (e) => (e.message ?? '').trim()),
    wide('First Seen', 'When it first happened.', (e, now) => age(firstSeen(e), now)),
    {
      name: 'Count',
      type: 'string',
      description: 'How often it happened.',
      priority: 1,
      cell: (e) => e.series?.count ?? (e.count || 1),
    },
    { ...nameColumn, priority: 1 },
  ],
  defaults(draft) {
    draft.involvedObject ??= {};
    draft.source ??= {};
    draft.reportingComponent ??= '';
    draft.reportingInstance ??= '';
  },
  validate: (event) => validateEvent(event, 'reportingComponent'),
});
