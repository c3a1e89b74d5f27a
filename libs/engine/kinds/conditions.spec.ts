import { expect, test } from '@jest/globals';
import { Path } from '../machinery/meta/field.js';
import { validateConditions } from './conditions.js';

const good = {
  type: 'example.com/Ready',
  status: 'True',
  reason: 'AllGood',
  message: '',
  lastTransitionTime: '2026-01-01T12:00:00Z',
};
const REASON =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

test.each<[string, object[], string[]]>([
  ['a good one', [good], []],
  ['a type twice', [good, { ...good, status: 'False' }], ['conditions[1].type: Duplicate value: "example.com/Ready"']],
  [
    'an unknown status',
    [{ ...good, status: 'Maybe' }],
    ['conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"'],
  ],
  [
    'a generation before the first',
    [{ ...good, observedGeneration: -1 }],
    ['conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero'],
  ],
  [
    'neither time nor reason',
    [{ ...good, lastTransitionTime: undefined, reason: undefined }],
    ['conditions[0].lastTransitionTime: Required value', 'conditions[0].reason: Required value'],
  ],
  [
    'a reason in words',
    [{ ...good, reason: 'All good' }],
    [`conditions[0].reason: Invalid value: "All good": ${REASON}`],
  ],
  [
    'long words',
    [{ ...good, reason: 'R'.repeat(1025), message: 'm'.repeat(32769) }],
    [
      'conditions[0].reason: Too long: may not be more than 1024 bytes',
      'conditions[0].message: Too long: may not be more than 32768 bytes',
    ],
  ],
])('%s', (_, conditions, errors) =>
  expect(validateConditions(conditions as never, Path.of('conditions')).map((error) => error.message)).toEqual(errors),
);
