import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind as PriorityClasses } from './kind.js';

test.each<[string, object, string[]]>([
  [
    'high',
    { value: 1_000_000_001 },
    ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ],
  [
    'system-mine',
    { value: 1 },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  [
    'system-node-critical',
    { value: 1 },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
    ],
  ],
  ['system-node-critical', { value: 2_000_001_000 }, []],
  [
    'high',
    { value: 1, preemptionPolicy: 'Maybe' },
    ['preemptionPolicy: Unsupported value: "Maybe": supported values: "PreemptLowerPriority", "Never"'],
  ],
])('a PriorityClass %s of %j', (name, fields, errors) =>
  expect(errorsOf(PriorityClasses, { ...fields, metadata: { name } })).toEqual(errors),
);

test('a PriorityClass cannot change', () =>
  expect(updateErrors(PriorityClasses, { value: 1 }, { value: 2, preemptionPolicy: 'Never' })).toEqual([
    'value: Forbidden: may not be changed in an update.',
    'preemptionPolicy: Invalid value: "Never": field is immutable',
  ]));
test('a PriorityClass prints', () =>
  expect(row(PriorityClasses, create(PriorityClasses, { value: 5 }))).toEqual({
    Name: 'a',
    Value: 5,
    'Global-Default': false,
    Age: AGE,
    PreemptionPolicy: 'PreemptLowerPriority',
  }));
