import { expect, test } from '@jest/globals';
import type { Event as Stored } from '../../../api/core_v1.js';
import { make } from '../../testing.js';
import { fromStorage, toStorage } from './conversion.js';
import { kind as Events } from './kind.js';
import { validateStrictly } from './validation.js';

const stored = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
  reason: 'Started',
  message: 'Started container c',
  type: 'Normal',
  count: 2,
  firstTimestamp: '2026-01-01T11:00:00Z',
  lastTimestamp: '2026-01-01T11:59:00Z',
  source: { component: 'kubelet', host: 'n' },
  reportingComponent: 'kubelet',
  reportingInstance: 'n',
} as Stored;

test('an event of core/v1 has other names in events.k8s.io', () =>
  expect(fromStorage(stored)).toEqual({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: stored.metadata,
    regarding: stored.involvedObject,
    reason: 'Started',
    note: 'Started container c',
    type: 'Normal',
    deprecatedCount: 2,
    deprecatedFirstTimestamp: '2026-01-01T11:00:00Z',
    deprecatedLastTimestamp: '2026-01-01T11:59:00Z',
    deprecatedSource: { component: 'kubelet', host: 'n' },
    reportingController: 'kubelet',
    reportingInstance: 'n',
  }));

test('and comes back as it was', () => expect(toStorage(fromStorage(stored))).toEqual(stored));

test('a series survives', () => {
  const event = make(Events, {
    eventTime: '2026-01-01T11:00:00.000000Z',
    series: { count: 3, lastObservedTime: '2026-01-01T11:30:00.000000Z' },
  });
  expect(fromStorage(toStorage(event)).series).toEqual(event.series);
});

const strict = {
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
  source: {},
  eventTime: '2026-01-01T11:00:00.000000Z',
  reportingComponent: 'example.com/c',
  reportingInstance: 'i',
  action: 'Run',
  reason: 'Started',
  type: 'Normal',
} as Stored;

test.each<[string, Partial<Stored>, string[]]>([
  ['good', {}, []],
  ['without a time', { eventTime: undefined as never }, ['eventTime: Required value']],
  ['of another type', { type: 'Odd' }, ['type: Invalid value: "": has invalid value: Odd']],
  [
    'with the old fields',
    { count: 1, source: { component: 'c' } },
    ['count: Invalid value: "": needs to be unset', 'source: Invalid value: "": needs to be unset'],
  ],
  [
    'a series of one',
    { series: { count: 1, lastObservedTime: '2026-01-01T11:00:00.000000Z' } },
    ['series.count: Invalid value: "": should be at least 2'],
  ],
  [
    'without a reporter',
    { reportingComponent: 'a b' },
    [expect.stringMatching(/^reportingController: Invalid value: "a b": name part must consist of/) as never],
  ],
])('an event of events.k8s.io is %s', (_, fields, errors) =>
  expect(validateStrictly({ ...strict, ...fields }, undefined).map((e) => e.message)).toEqual(errors),
);

test('later only its series changes', () => {
  const next = { ...strict, reason: 'Other', series: { count: 2, lastObservedTime: '2026-01-01T12:00:00.000000Z' } };
  const again = 'reason: Invalid value: "Other": field is immutable';
  expect(validateStrictly(next, strict).map((e) => e.message)).toEqual([again, again]);
  expect(validateStrictly({ ...next, reason: 'Started' }, strict)).toEqual([]);
});
