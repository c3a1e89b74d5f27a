import type { Event as Stored } from '../../../api/core_v1.js';
import type { Event } from '../../../api/events_v1.js';

/** Models pkg/apis/events/v1/conversion.go: the same fields by other names. */
export function toStorage(event: Event): Stored {
  const {
    regarding,
    note,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    reportingController,
    ...same
  } = event;
  return compact({
    ...same,
    apiVersion: 'v1',
    involvedObject: regarding ?? {},
    message: note,
    source: deprecatedSource ?? {},
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
    reportingComponent: reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  });
}

export function fromStorage(event: Stored): Event {
  const {
    involvedObject,
    message,
    source,
    firstTimestamp,
    lastTimestamp,
    count,
    reportingComponent,
    series,
    eventTime,
    ...same
  } = event;
  return compact<Event>({
    ...same,
    apiVersion: 'events.k8s.io/v1',
    eventTime: eventTime as string,
    regarding: involvedObject,
    note: message,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
    reportingController: reportingComponent,
    series: series && { count: series.count ?? 0, lastObservedTime: series.lastObservedTime ?? '' },
  });
}

function compact<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
