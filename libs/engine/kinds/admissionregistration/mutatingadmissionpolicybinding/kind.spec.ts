import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row } from '../../testing.js';
import { kind } from './kind.js';

test.each<[object, string[]]>([
  [{ policyName: 'p' }, []],
  [{}, ['spec.policyName: Required value']],
  [
    { policyName: 'p', paramRef: { parameterNotFoundAction: 'Deny' } },
    ['spec.paramRef: Required value: one of name or selector must be specified'],
  ],
])('a binding of %j', (spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

test('fills in how resources are matched', () =>
  expect(create(kind, { spec: { policyName: 'p', matchResources: {} } }).spec.matchResources).toEqual({
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
  }));

test('prints its policy and parameters', () =>
  expect(row(kind, make(kind, { spec: { policyName: 'p', paramRef: { name: 'c', namespace: 'n' } } }))).toEqual({
    Name: 'a',
    PolicyName: 'p',
    ParamRef: 'n/c',
    Age: AGE,
  }));
