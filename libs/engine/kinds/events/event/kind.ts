import type { Event as Stored } from '../../../api/core_v1.js';
import type { Event } from '../../../api/events_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { kind as stored } from '../../core/event/kind.js';
import { fromStorage, toStorage } from './conversion.js';
import { validateStrictly } from './validation.js';

/** events.k8s.io's view of core events. Models pkg/apis/events/v1. */
export const kind = defineKind<Event>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  scope: 'Namespaced',
  createOnUpdate: true,
  definition: 'io.k8s.api.events.v1.Event',
  generation: false,
  storedAs: {
    kind: stored,
    toStorage,
    fromStorage: (object) => fromStorage(object as Stored),
    validate: (object, old) => validateStrictly(object as Stored, old as Stored | undefined),
  },
  fieldSelectors: {
    reason: (e) => e.reason ?? '',
    'regarding.kind': (e) => e.regarding?.kind ?? '',
    'regarding.namespace': (e) => e.regarding?.namespace ?? '',
    'regarding.name': (e) => e.regarding?.name ?? '',
    'regarding.uid': (e) => e.regarding?.uid ?? '',
    'regarding.apiVersion': (e) => e.regarding?.apiVersion ?? '',
    'regarding.resourceVersion': (e) => e.regarding?.resourceVersion ?? '',
    'regarding.fieldPath': (e) => e.regarding?.fieldPath ?? '',
    reportingController: (e) => e.reportingController ?? '',
    type: (e) => e.type ?? '',
  },
  columns: stored.columns!.map((c) => ({ ...c, cell: (event, now) => c.cell(toStorage(event), now) })),
});
