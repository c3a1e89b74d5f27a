import { expect, it, test } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Event } from '../../api/core_v1.js';
import { Events } from '../../kinds/index.js';
import { microTimestamp, timestamp } from '../../machinery/time/time.js';
import { controller } from './controller.js';

const createEvent = (bed: ControllerBed, name: string, fields: Partial<Event>): Event =>
  bed.create(Events, name, {
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Test',
    type: 'Normal',
    source: {},
    ...fields,
  });

it('events are gone an hour after they were last written', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const at = timestamp(bed.state.now);
  createEvent(bed, 'e', { firstTimestamp: at, lastTimestamp: at });
  bed.settle(seconds(3599));
  expect(bed.client.list(Events)).toHaveLength(1);
  bed.settle(seconds(61));
  expect(bed.client.list(Events)).toHaveLength(0);
  expect(bed.errors).toEqual([]);
});

test('one that is counted again lives on; each has its own hour', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const first = timestamp(bed.state.now);
  createEvent(bed, 'once', { firstTimestamp: first, lastTimestamp: first });
  const again = createEvent(bed, 'again', { firstTimestamp: first, lastTimestamp: first });
  bed.settle(seconds(1800));
  bed.client.update(Events, { ...again, count: 2, lastTimestamp: timestamp(bed.state.now) });
  expect(names(bed.settle(seconds(1860)).client.list(Events))).toEqual(['again']);
  expect(names(bed.settle(seconds(1800)).client.list(Events))).toEqual([]);
});

test('an event of the events.k8s.io API lives on with its series', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const event = createEvent(bed, 'series', {
    eventTime: microTimestamp(bed.state.now),
    action: 'Scheduling',
    reportingComponent: 'default-scheduler',
    reportingInstance: 'default-scheduler-a',
  });
  bed.settle(seconds(1800));
  const series = { count: 2, lastObservedTime: microTimestamp(bed.state.now) };
  bed.client.update(Events, { ...event, series });
  expect(names(bed.settle(seconds(3540)).client.list(Events))).toEqual(['series']);
  expect(names(bed.settle(seconds(120)).client.list(Events))).toEqual([]);
});

test.each([
  ['in the past', '2020-01-01T00:00:00.000000Z'],
  ['in the future', '2035-01-01T00:00:00.000000Z'],
])('the time that an event names is no matter: %s', (_case, eventTime) => {
  const bed = new ControllerBed({ controllers: [controller] });
  const reporter = { reportingComponent: 'example.com/a', reportingInstance: 'a', action: 'Test' };
  createEvent(bed, 'e', { eventTime, ...reporter });
  expect(names(bed.settle(seconds(3599)).client.list(Events))).toEqual(['e']);
  expect(names(bed.settle(seconds(61)).client.list(Events))).toEqual([]);
});
