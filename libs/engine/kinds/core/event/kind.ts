import type { Event } from '../../../api/core_v1.js';
import { column, nameColumn, wide } from '../../../machinery/columns.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidEach, isDNS1123Subdomain, isQualifiedName } from '../../../machinery/validation.js';
import { ageSince, type Millis } from '../../../machinery/time.js';

const [MAX_WORD, MAX_NOTE] = [128, 1024];

const firstSeen = (e: Event): string | undefined => e.firstTimestamp || e.eventTime || undefined;
const lastSeen = (e: Event): string | undefined => e.series?.lastObservedTime ?? e.lastTimestamp ?? firstSeen(e);
const age = (at: string | undefined, now: Millis): string => ageSince(at, now);

const objectCell = ({ involvedObject: { kind: k = '', name } }: Event): string => (name ? `${k.toLowerCase()}/${name}` : k.toLowerCase());
const sourceCell = ({ source, reportingComponent, reportingInstance }: Event): string =>
  [source?.component || reportingComponent || '', source?.host || (source?.component ? '' : (reportingInstance ?? ''))].filter(Boolean).join(', ');

/** Models pkg/apis/core/validation/events.go: legacy checks for events of core/v1, the stricter ones when eventTime is set. */
function validate(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.involvedObject.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const compatible = event.eventTime ? ['default', 'kube-system'] : ['', 'default'];
  if (namespace === '' ? !compatible.includes(own) : !event.eventTime && namespace !== own) {
    errors.push(invalidValue(Path.of('involvedObject', 'namespace'), namespace, 'does not match event.namespace'));
  }
  if (event.eventTime) errors.push(...validateNew(event));
  return [...errors, ...invalidEach(Path.of('namespace'), own, isDNS1123Subdomain(own))];
}

/** Of an event with an eventTime, which old clients do not set. */
function validateNew(event: Event): FieldError[] {
  const reporter = event.reportingComponent ?? '';
  const at = Path.of('reportingComponent');
  const errors = [...(reporter ? [] : [required(at)]), ...invalidEach(at, reporter, isQualifiedName(reporter))];
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    if (!event[field]) errors.push(required(Path.of(field)));
    if ((event[field]?.length ?? 0) > MAX_WORD) errors.push(invalidValue(Path.of(field), '', `can have at most ${MAX_WORD} characters`));
  }
  if ((event.message?.length ?? 0) > MAX_NOTE) errors.push(invalidValue(Path.of('message'), '', `can have at most ${MAX_NOTE} characters`));
  return errors;
}

export const kind = defineKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  scope: 'Namespaced',
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
    { name: 'Count', type: 'string', description: 'How often it happened.', priority: 1, cell: (e) => e.series?.count ?? (e.count || 1) },
    { ...nameColumn, priority: 1 },
  ],
  defaults(draft) {
    draft.involvedObject ??= {};
    draft.source ??= {};
    draft.reportingComponent ??= '';
    draft.reportingInstance ??= '';
  },
  validate,
});
