import { expect, test } from '@jest/globals';
import type { Event } from '../../api/core_v1.js';
import { EventMinutes, minuteOf } from './event-minutes.js';

const event = (name: string, creationTimestamp: string, namespace = 'default', ...times: string[]): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace, creationTimestamp, managedFields: times.map((time) => ({ time })) },
  involvedObject: {},
});

test.each<[Event, string]>([
  [event('e', '2026-01-01T00:05:59Z'), '2026-01-01T00:05'],
  [event('e', '2026-01-01T00:05:00Z', 'default', '2026-01-01T01:07:10Z'), '2026-01-01T01:07'],
  [event('e', '2026-01-01T00:05:00Z', 'default', '2026-01-01T00:04:10Z'), '2026-01-01T00:05'],
])('%j was last written in the minute %s', (one, minute) => expect(minuteOf(one)).toBe(minute));

test('events are found by the minute in which they were last written, in the order of their names', () => {
  const minutes = new EventMinutes();
  const written = event('b', '2026-01-01T00:06:00Z');
  for (const one of [
    event('c', '2026-01-01T00:05:01Z'),
    written,
    event('a', '2026-01-01T00:06:59Z'),
    event('d', '2026-01-01T00:07:00Z'),
    event('e', '2026-01-01T00:05:00Z', 'other'),
  ])
    minutes.onEvent(undefined, one);
  const names = (namespace = 'default') =>
    minutes.until(namespace, '2026-01-01T00:06').map(({ metadata }) => metadata.name);
  expect([names(), names('other'), names('none')]).toEqual([['a', 'b', 'c'], ['e'], []]);
  const later = event('b', '2026-01-01T00:06:00Z', 'default', '2026-01-01T00:09:00Z');
  minutes.onEvent(written, later);
  expect(names()).toEqual(['a', 'c']);
  // A step that is undone.
  minutes.onEvent(later, written);
  expect(names()).toEqual(['a', 'b', 'c']);
  minutes.onEvent(written, undefined);
  expect(names()).toEqual(['a', 'c']);
});
