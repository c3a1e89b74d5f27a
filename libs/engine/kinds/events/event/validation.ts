import type { Event } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { immutable } from '../../../machinery/meta/validation.js';
import { validateEvent } from '../../core/event/kind.js';
import { toInternalForm } from '../../internal-form.js';

const TYPES = ['Normal', 'Warning'];
/** How long a time is that says more than microseconds do not. */
const MICROSECONDS = '2006-01-02T15:04:05.000000'.length;

/**
 * The strict rules of events.k8s.io, of an event in its stored form. Models ValidateEventCreate and ValidateEventUpdate
 * of pkg/apis/core/validation.
 */
export function validateStrictly(event: Event, old: Event | undefined): FieldError[] {
  return [
    ...validateEvent(event, 'reportingController'),
    ...(old ? validateUpdate(event, old) : validateCreate(event)),
  ];
}

function validateCreate(event: Event): FieldError[] {
  const errors = validateSeries(event);
  const unset = (field: string, value: unknown): FieldError[] =>
    value ? [invalidValue(Path.of(field), '', 'needs to be unset')] : [];
  if (!event.eventTime) errors.push(required(Path.of('eventTime')));
  if (!TYPES.includes(event.type ?? ''))
    errors.push(invalidValue(Path.of('type'), '', `has invalid value: ${event.type ?? ''}`));
  return [
    ...errors,
    ...unset('firstTimestamp', event.firstTimestamp),
    ...unset('lastTimestamp', event.lastTimestamp),
    ...unset('count', event.count),
    ...unset('source', event.source?.component || event.source?.host),
  ];
}

function validateSeries({ series }: Event): FieldError[] {
  if (!series) return [];
  const errors = (series.count ?? 0) < 2 ? [invalidValue(Path.of('series.count'), '', 'should be at least 2')] : [];
  return series.lastObservedTime ? errors : [...errors, required(Path.of('series.lastObservedTime'))];
}

/** Only the series goes on. */
function validateUpdate(event: Event, old: Event): FieldError[] {
  const same = (field: string, of: (event: Event) => unknown): FieldError[] =>
    immutable(Path.of(field), of(event), deepEqual(of(event), of(old)));
  return [
    ...(deepEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...same('involvedObject', (e) => toInternalForm('ObjectReference', e.involvedObject)),
    ...same('reason', (e) => e.reason ?? ''),
    ...same('message', (e) => e.message ?? ''),
    ...same('source', ({ source }) => ({ Component: source?.component ?? '', Host: source?.host ?? '' })),
    ...same('firstTimestamp', (e) => e.firstTimestamp ?? null),
    ...same('lastTimestamp', (e) => e.lastTimestamp ?? null),
    ...same('count', (e) => e.count ?? 0),
    ...same('reason', (e) => e.reason ?? ''),
    ...same('type', (e) => e.type ?? ''),
    ...(event.eventTime?.slice(0, MICROSECONDS) === old.eventTime?.slice(0, MICROSECONDS)
      ? []
      : same('eventTime', (e) => e.eventTime ?? null)),
    ...same('action', (e) => e.action ?? ''),
    ...same('related', (e) => toInternalForm('*ObjectReference', e.related)),
    ...same('reportingController', (e) => e.reportingComponent ?? ''),
    ...same('reportingInstance', (e) => e.reportingInstance ?? ''),
  ];
}
