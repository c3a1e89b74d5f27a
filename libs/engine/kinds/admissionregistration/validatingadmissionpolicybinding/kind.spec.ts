import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind } from './kind.js';

test.each<[object, string[]]>([
  [{ policyName: 'p', validationActions: ['Deny'] }, []],
  [{ policyName: 'p', validationActions: ['Warn', 'Audit'] }, []],
  [{ policyName: 'p' }, ['spec.validationActions: Required value: at least one validation action is required']],
  [
    { policyName: 'p', validationActions: ['Panic'] },
    ['spec.validationActions[0]: Unsupported value: "Panic": supported values: "Audit", "Deny", "Warn"'],
  ],
  [{ policyName: 'p', validationActions: ['Audit', 'Audit'] }, ['spec.validationActions[1]: Duplicate value: "Audit"']],
  [
    { policyName: 'p', validationActions: ['Deny', 'Warn'] },
    [
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
  ],
])('a binding of %j', (spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

test('prints its policy', () =>
  expect(row(kind, make(kind, { spec: { policyName: 'p' } }))).toEqual({
    Name: 'a',
    PolicyName: 'p',
    ParamRef: '<unset>',
    Age: AGE,
  }));
