import { expect, test } from '@jest/globals';
import { AGE, create, make, row, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

test("its status is the controller's", () =>
  expect(create(kind, { status: { used: { pods: '9' } } }).status).toEqual({}));

test.each<[string, object, object, string[]]>([
  ['of what is counted', { hard: { pods: '1' } }, { hard: { pods: '2' } }, []],
  [
    'of the order of the scopes',
    { scopes: ['BestEffort', 'Terminating'] },
    { scopes: ['Terminating', 'BestEffort'] },
    [],
  ],
  [
    'of the scopes',
    { scopes: ['BestEffort'] },
    { scopes: ['Terminating'] },
    ['spec.scopes: Invalid value: ["Terminating"]: field is immutable'],
  ],
])('an update %s', (_, before, after, errors) =>
  expect(updateErrors(kind, { spec: before }, { spec: after })).toEqual(errors),
);

test.each<[Record<string, unknown>, string, string]>([
  [
    { status: { hard: { pods: '5', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '1' } } },
    'pods: 1/5, requests.cpu: 0/1',
    'limits.cpu: 0/2',
  ],
  [{ spec: { hard: { pods: '5' } } }, 'pods: 0/5', ''],
  [{}, '', ''],
])('a row of %j', (fields, Request, Limit) =>
  expect(row(kind, make(kind, fields))).toEqual({ Name: 'a', Request, Limit, Age: AGE }),
);
