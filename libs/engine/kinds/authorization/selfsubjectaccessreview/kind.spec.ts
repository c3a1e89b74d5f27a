import { expect, test } from '@jest/globals';
import { evaluate, resourceAttributes } from '../testing.js';
import { kind } from './kind.js';

test('an administrator may do everything', () =>
  expect(evaluate(kind, { spec: { resourceAttributes } }).status).toEqual({ allowed: true }));

test.each<[object, string]>([
  [{ fieldSelector: { rawSelector: 'x in (' } }, 'spec.resourceAttributes.fieldSelector ignored due to parse error'],
  [
    {
      fieldSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'b', operator: 'Exists' },
        ],
      },
    },
    'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
  ],
  [{ labelSelector: { rawSelector: 'x in (' } }, 'spec.resourceAttributes.labelSelector ignored due to parse error'],
])('%j is answered as far as it is understood', (selectors, evaluationError) =>
  expect(evaluate(kind, { spec: { resourceAttributes: { ...resourceAttributes, ...selectors } } }).status).toEqual({
    allowed: true,
    evaluationError,
  }),
);

test.each<[string, () => unknown, string]>([
  [
    'of nothing',
    () => evaluate(kind, {}),
    '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    'of a label that cannot be',
    () =>
      evaluate(kind, {
        spec: {
          resourceAttributes: { labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b.'] }] } },
        },
      }),
    "spec.resourceAttributes.labelSelector.requirements[0].values[0]: Invalid value: \"b.\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'of an empty selector',
    () => evaluate(kind, { spec: { resourceAttributes: { labelSelector: {} } } }),
    'spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
  ],
  [
    'of two selectors',
    () =>
      evaluate(kind, {
        spec: {
          resourceAttributes: {
            fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          },
        },
      }),
    'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
  ],
  [
    'of a selector without values',
    () =>
      evaluate(kind, {
        spec: { resourceAttributes: { fieldSelector: { requirements: [{ key: 'a', operator: 'In' }] } } },
      }),
    "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
])('a review %s is refused', (_, review, message) => expect(review).toThrow(message));
