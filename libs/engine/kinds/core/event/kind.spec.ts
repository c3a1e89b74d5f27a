import { expect, test } from '@jest/globals';
import { create, row } from '../../testing.js';
import { kind } from './kind.js';

test('what is missing is empty', () =>
  expect(create(kind)).toMatchObject({
    involvedObject: {},
    source: {},
    reportingComponent: '',
    reportingInstance: '',
  }));

const involvedObject = { kind: 'Pod', name: 'web', uid: 'u1', fieldPath: 'spec.containers{web}' };

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'of a core/v1 client',
    {
      involvedObject: { kind: 'Pod', name: 'web' },
      type: 'Normal',
      reason: 'Pulled',
      message: 'done ',
      count: 2,
      source: { component: 'kubelet', host: 'n' },
      firstTimestamp: '2026-01-01T11:59:00Z',
      lastTimestamp: '2026-01-01T11:59:30Z',
    },
    {
      'Last Seen': '30s',
      Type: 'Normal',
      Reason: 'Pulled',
      Object: 'pod/web',
      Subobject: '',
      Source: 'kubelet, n',
      Message: 'done',
      'First Seen': '60s',
      Count: 2,
      Name: 'a',
    },
  ],
  [
    'of an events.k8s.io/v1 client',
    {
      involvedObject,
      eventTime: '2026-01-01T11:58:00.000000Z',
      series: { count: 5, lastObservedTime: '2026-01-01T11:59:55.000000Z' },
      reportingComponent: 'example.com/agent',
      reportingInstance: 'agent-1',
    },
    {
      'Last Seen': '5s',
      Type: '',
      Reason: '',
      Object: 'pod/web',
      Subobject: 'spec.containers{web}',
      Source: 'example.com/agent, agent-1',
      Message: '',
      'First Seen': '2m',
      Count: 5,
      Name: 'a',
    },
  ],
  [
    'without times',
    { involvedObject: { kind: 'Node' } },
    {
      'Last Seen': '<unknown>',
      Type: '',
      Reason: '',
      Object: 'node',
      Subobject: '',
      Source: '',
      Message: '',
      'First Seen': '<unknown>',
      Count: 1,
      Name: 'a',
    },
  ],
])('a row %s', (_, fields, cells) => expect(row(kind, create(kind, fields))).toEqual(cells));

test.each([
  ['involvedObject.kind', 'Pod'],
  ['involvedObject.name', 'web'],
  ['involvedObject.uid', 'u1'],
  ['involvedObject.fieldPath', 'spec.containers{web}'],
  ['involvedObject.namespace', ''],
  ['reason', 'Pulled'],
  ['type', ''],
  ['source', 'kubelet'],
])('the field %s is selected by %j', (field, value) =>
  expect(
    kind.fieldSelectors![field]!(create(kind, { involvedObject, reason: 'Pulled', source: { component: 'kubelet' } })),
  ).toBe(value),
);

test('events are found by the uid of what they are about', () => {
  expect(kind.indexes!['involvedUid']!(create(kind, { involvedObject }))).toEqual(['u1']);
  expect(kind.indexes!['involvedUid']!(create(kind))).toEqual([]);
});
