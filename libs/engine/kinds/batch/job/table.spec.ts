import { expect, test } from '@jest/globals';
import { AGE, create, row } from '../../testing.js';
import { pod } from '../testing.js';
import { kind } from './kind.js';

const ended = (type: string): object => ({
  type,
  status: 'True',
  lastTransitionTime: '2026-01-01T11:59:00Z',
});
const startTime = '2026-01-01T11:58:00Z';

test.each<[string, object, object, object, [string, string, string]]>([
  ['running', {}, {}, { startTime }, ['Running', '0/1', '2m']],
  [
    'complete',
    {},
    {},
    { startTime, completionTime: '2026-01-01T11:58:30Z', succeeded: 1, conditions: [ended('Complete')] },
    ['Complete', '1/1', '30s'],
  ],
  ['failed', {}, {}, { startTime, conditions: [ended('Failed')] }, ['Failed', '0/1', '60s']],
  ['suspended', {}, {}, { conditions: [ended('Suspended')] }, ['Suspended', '0/1', '']],
  ['failing', {}, {}, { startTime, conditions: [ended('FailureTarget')] }, ['FailureTarget', '0/1', '2m']],
  ['being deleted', { deletionTimestamp: '2026-01-01T12:00:00Z' }, {}, { startTime }, ['Terminating', '0/1', '2m']],
  ['of several', {}, { completions: 5, parallelism: 2 }, { startTime, succeeded: 3 }, ['Running', '3/5', '2m']],
  ['of a work queue', {}, { parallelism: 3 }, { startTime, succeeded: 1 }, ['Running', '1/1 of 3', '2m']],
])('a Job that is %s', (_, metadata, spec, status, [Status, Completions, Duration]) =>
  expect(
    row(kind, {
      ...create(kind, { metadata: { name: 'pi', uid: 'u1', ...metadata }, spec: { template: { spec: pod }, ...spec } }),
      status,
    }),
  ).toEqual({
    Name: 'pi',
    Status,
    Completions,
    Duration,
    Age: AGE,
    Containers: 'pi',
    Images: 'perl:5.34',
    Selector: 'batch.kubernetes.io/controller-uid=u1',
  }),
);
