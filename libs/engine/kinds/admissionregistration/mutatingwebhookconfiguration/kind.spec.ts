import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind } from './kind.js';

const hook = {
  name: 'a.b.io',
  clientConfig: { service: { name: 's', namespace: 'n' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

test.each<[string, object, string[]]>([
  ['that is good', {}, []],
  [
    'that is reinvoked always',
    { reinvocationPolicy: 'Always' },
    ['webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"'],
  ],
])('a webhook %s', (_, fields, errors) =>
  expect(errorsOf(kind, { webhooks: [{ ...hook, ...fields }] })).toEqual(errors),
);

test('names are unique', () =>
  expect(errorsOf(kind, { webhooks: [hook, hook] })).toEqual(['webhooks[1].name: Duplicate value: "a.b.io"']));

test('prints how many webhooks there are', () =>
  expect(row(kind, make(kind, { webhooks: [hook] }))).toEqual({ Name: 'a', Webhooks: 1, Age: AGE }));
