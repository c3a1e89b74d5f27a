import { expect, test } from '@jest/globals';
import { create, errorsOf } from '../../testing.js';
import { kind, validateEvent } from './kind.js';

const metadata = { namespace: 'default' };
const involvedObject = { namespace: 'default' };
const eventTime = '2026-01-01T11:58:00.000000Z';
const recent = {
  metadata,
  involvedObject,
  eventTime,
  reportingComponent: 'example.com/agent',
  reportingInstance: 'agent-1',
  action: 'Binding',
  reason: 'Scheduled',
};

test.each<[string, Record<string, unknown>, string[]]>([
  ['of its own namespace', { metadata, involvedObject }, []],
  ['of an object of the cluster', { metadata, involvedObject: {} }, []],
  [
    'of an object elsewhere',
    { metadata, involvedObject: { namespace: 'other' } },
    ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  ],
  [
    'of an object of the cluster, in another namespace',
    { metadata: { namespace: 'shop' } },
    ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
  ],
  ['of a recent client', recent, []],
  [
    'with an eventTime and nothing else',
    { metadata, involvedObject, eventTime },
    [
      'reportingComponent: Required value',
      'reportingComponent: Invalid value: "": name part must be non-empty',
      "reportingComponent: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ],
  ],
  [
    'with long words',
    { ...recent, reason: 'R'.repeat(129), message: 'm'.repeat(1025) },
    [
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ],
  ],
])('an event %s', (_, fields, errors) => expect(errorsOf(kind, fields)).toEqual(errors));

test("the reporter is named as the requested version's field", () =>
  expect(
    validateEvent(create(kind, { ...recent, reportingComponent: '' }), 'reportingController').map(({ field }) => field),
  ).toEqual(['reportingController', 'reportingController', 'reportingController']));
