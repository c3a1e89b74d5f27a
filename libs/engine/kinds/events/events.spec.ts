import { expect, test } from '@jest/globals';
import type { Event as Stored } from '../../api/core_v1.js';
import { make } from '../testing.js';
import { fromStorage, toStorage } from './event/conversion.js';
import { kind as Events } from './event/kind.js';

const stored = {
  apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'default' }, involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' }, reason: 'Started', message: 'Started container c',
  type: 'Normal', count: 2, firstTimestamp: '2026-01-01T11:00:00Z', lastTimestamp: '2026-01-01T11:59:00Z', source: { component: 'kubelet', host: 'n' }, reportingComponent: 'kubelet', reportingInstance: 'n',
} as Stored;

test('an event of core/v1 has other names in events.k8s.io', () =>
  expect(fromStorage(stored)).toEqual({
    apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: stored.metadata, regarding: stored.involvedObject, reason: 'Started', note: 'Started container c', type: 'Normal', deprecatedCount: 2,
    deprecatedFirstTimestamp: '2026-01-01T11:00:00Z', deprecatedLastTimestamp: '2026-01-01T11:59:00Z', deprecatedSource: { component: 'kubelet', host: 'n' }, reportingController: 'kubelet', reportingInstance: 'n',
  }));

test('and comes back as it was', () => expect(toStorage(fromStorage(stored))).toEqual(stored));

test('a series survives', () => {
  const event = make(Events, { eventTime: '2026-01-01T11:00:00.000000Z', series: { count: 3, lastObservedTime: '2026-01-01T11:30:00.000000Z' } });
  expect(fromStorage(toStorage(event)).series).toEqual(event.series);
});
