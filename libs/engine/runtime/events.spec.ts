import { describe, expect, test } from '@jest/globals';
import { ControllerBed, seconds } from '../../testkit/beds/controller-bed.js';
import type { Event } from '../api/core_v1.js';
import { ConfigMaps, Events } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { EventOptions } from './controller.js';
import { recordEvent, type EventSource } from './events.js';

const SOURCE: EventSource = { component: 'test-controller' };

function newBed() {
  const bed = new ControllerBed({ controllers: [] });
  const object = bed.create(ConfigMaps, 'subject');
  const record = (message: string, options: EventOptions & { reason?: string; source?: EventSource } = {}): void => {
    const { reason = 'Tested', source = SOURCE } = options;
    const recorder = { client: bed.client, now: bed.state.now, events: Events, source };
    recordEvent(recorder, object as KubeObject, 'Normal', reason, message, options);
  };
  return { bed, object, record, list: (): readonly Event[] => bed.client.list(Events) };
}
const counts = (events: readonly Event[]): [string?, number?][] => events.map((e) => [e.message, e.count]);

test('an event names its object, its source and its time', () => {
  const { object, record, list } = newBed();
  record('done', { fieldPath: 'data{x}' });
  const [event] = list();
  expect(event!.metadata.name).toMatch(/^subject\.[0-9a-f]{16}$/);
  expect(event).toMatchObject({
    metadata: { namespace: 'default' },
    involvedObject: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      name: 'subject',
      namespace: 'default',
      uid: object.metadata.uid,
      resourceVersion: object.metadata.resourceVersion,
      fieldPath: 'data{x}',
    },
    type: 'Normal',
    reason: 'Tested',
    message: 'done',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    source: { component: 'test-controller' },
    reportingComponent: 'test-controller',
    reportingInstance: '',
  });
});

describe('an event that says the same', () => {
  test('is counted', () => {
    const { bed, record, list } = newBed();
    record('again');
    bed.settle(seconds(60));
    record('again');
    expect(list().map((e) => [e.count, e.firstTimestamp, e.lastTimestamp])).toEqual([
      [2, '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    ]);
  });

  test.each<[string, EventOptions & { reason?: string; source?: EventSource }]>([
    ['for another reason', { reason: 'Other' }],
    ['of another field', { fieldPath: 'data{x}' }],
    ['from another source', { source: { component: 'other' } }],
  ])('%s is another event', (_, options) => {
    const { record, list } = newBed();
    record('again');
    record('again', options);
    expect(list().map((e) => e.count)).toEqual([1, 1]);
  });

  test('is another event when the last one is more than ten minutes old', () => {
    const { bed, record, list } = newBed();
    record('again');
    bed.settle(seconds(601));
    record('again');
    expect(list().map((e) => e.count)).toEqual([1, 1]);
  });

  test('of the events.k8s.io API is counted in its series', () => {
    const { bed, record, list } = newBed();
    const source = { component: 'default-scheduler' };
    record('placed', { action: 'Binding', source });
    expect(list()[0]).toMatchObject({
      eventTime: '2026-01-01T00:00:00.000000Z',
      action: 'Binding',
      source: {},
      reportingComponent: 'default-scheduler',
      reportingInstance: 'default-scheduler-control-plane',
    });
    bed.settle(seconds(1));
    record('placed', { action: 'Binding', source });
    expect(list().map((e) => e.series)).toEqual([{ count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }]);
  });
});

test('the tenth different message for one reason and those that follow are combined into one event', () => {
  const { record, list } = newBed();
  for (let i = 1; i <= 20; i++) record(`message ${i}`);
  const combined = list().filter((e) => e.message!.startsWith('(combined from similar events): '));
  expect(combined.map((e) => [e.message, e.count])).toEqual([['(combined from similar events): message 20', 11]]);
  expect(list()).toHaveLength(10);
  expect(list().reduce((sum, e) => sum + e.count!, 0)).toBe(20);
});

test('a source may say 25 things at once of one object, and then one more each five minutes', () => {
  const { bed, record, list } = newBed();
  const said = (): number => list().reduce((sum, e) => sum + e.count!, 0);
  for (let i = 0; i < 30; i++) record('again');
  expect(said()).toBe(25);
  record('hello', { source: { component: 'other' } });
  expect(said()).toBe(26);
  bed.settle(seconds(300));
  record('again');
  record('again');
  expect(said()).toBe(27);
  expect(counts(list())).toEqual([
    ['again', 26],
    ['hello', 1],
  ]);
});
