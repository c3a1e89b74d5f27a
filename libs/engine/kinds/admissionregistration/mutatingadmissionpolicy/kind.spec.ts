import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row } from '../../testing.js';
import { kind } from './kind.js';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const mutation = {
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
};
const good = { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', mutations: [mutation] };

test.each<[string, object, string[]]>([
  ['that is good', good, []],
  [
    'that changes nothing',
    { ...good, mutations: [] },
    ['spec.mutations: Required value: mutations must contain at least one item'],
  ],
  ['that matches nothing', { ...good, matchConstraints: undefined }, ['spec.matchConstraints: Required value']],
  [
    'without a reinvocation policy',
    { ...good, reinvocationPolicy: undefined },
    ['spec.reinvocationPolicy: Required value'],
  ],
  [
    'of an unknown patch',
    { ...good, mutations: [{ patchType: 'Merge' }] },
    ['spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"'],
  ],
  [
    'whose patch is of the other type',
    { ...good, mutations: [{ ...mutation, patchType: 'JSONPatch' }] },
    ['spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch'],
  ],
  [
    'without an expression',
    { ...good, mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: ' ' } }] },
    ['spec.mutations[0].jsonPatch.expression: Required value'],
  ],
])('a policy %s', (_, spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

test('gets its defaults', () =>
  expect(create(kind, { spec: good }).spec).toEqual({
    ...good,
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, scope: '*' }],
    },
  }));

test('prints its mutations and parameters', () =>
  expect(
    row(kind, make(kind, { spec: { mutations: [{}, {}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } })),
  ).toEqual({ Name: 'a', Mutations: 2, ParamKind: 'v1/ConfigMap', Age: AGE }));
