import { expect, test } from '@jest/globals';
import { statusErrors } from '../../testing.js';
import { pod } from '../testing.js';
import { kind } from './kind.js';

const startTime = '2026-01-01T11:00:00Z';
const completionTime = '2026-01-01T11:30:00Z';
const conditions = (...types: string[]): object[] => types.map((type) => ({ type, status: 'True' }));
const complete = { startTime, completionTime, conditions: conditions('SuccessCriteriaMet', 'Complete') };

test.each<[string, object, object, string[]]>([
  ['a running one', {}, { startTime, active: 2, ready: 1 }, []],
  ['a complete one', {}, complete, []],
  ['a failed one', {}, { startTime, conditions: conditions('FailureTarget', 'Failed') }, []],
  ['less than nothing', {}, { failed: -1 }, ['status.failed: Invalid value: -1: must be greater than or equal to 0']],
  [
    'more ready than active',
    {},
    { active: 1, ready: 2 },
    ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
  ],
  [
    'failed out of the blue',
    {},
    { startTime, conditions: conditions('Failed') },
    ['status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition'],
  ],
  [
    'complete out of the blue',
    {},
    { startTime, completionTime, conditions: conditions('Complete') },
    [
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
  ],
  [
    'complete without times',
    {},
    { conditions: complete.conditions },
    [
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.startTime: Required value: startTime is required for finished job',
    ],
  ],
  [
    'complete before it began',
    {},
    { ...complete, completionTime: '2026-01-01T10:00:00Z' },
    ['status.completionTime: Invalid value: "2026-01-01T10:00:00Z": must be equal to or after `startTime`'],
  ],
  [
    'a time of completion, and none',
    {},
    { startTime, completionTime },
    [
      `status.completionTime: Invalid value: "${completionTime}": cannot set completionTime when there is no Complete=True condition`,
    ],
  ],
  [
    'complete and active',
    {},
    { ...complete, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['u'] } },
    [
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
      'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["u"]}: must be empty for finished job',
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
    ],
  ],
  [
    'the same pod twice',
    {},
    { uncountedTerminatedPods: { succeeded: ['u'], failed: ['u'] } },
    ['status.uncountedTerminatedPods.failed[0]: Duplicate value: "u"'],
  ],
  [
    'indexes of a Job without',
    {},
    { completedIndexes: '0' },
    [
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    ],
  ],
  [
    'indexes that there are not',
    { completionMode: 'Indexed', completions: 2 },
    { completedIndexes: '0,2' },
    ['status.completedIndexes: Invalid value: "0,2": error parsing completedIndexes: too large index: "2"'],
  ],
  [
    'failed indexes without a limit per index',
    { completionMode: 'Indexed', completions: 2 },
    { failedIndexes: '0' },
    ['status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null'],
  ],
])('a status of %s', (_, spec, status, errors) =>
  expect(
    statusErrors(kind, { metadata: { name: 'pi', uid: 'u1' }, spec: { template: { spec: pod }, ...spec } }, status),
  ).toEqual(errors),
);
