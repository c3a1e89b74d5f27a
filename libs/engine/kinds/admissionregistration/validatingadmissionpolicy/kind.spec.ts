import { describe, expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind as Policies } from './kind.js';
import { kind as Bindings } from '../validatingadmissionpolicybinding/kind.js';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };

describe('a policy', () => {
  const matchConstraints = { resourceRules: [rule] };
  test.each<[string, object, string[]]>([
    [
      'that checks nothing',
      { matchConstraints },
      [
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    ['that matches nothing', { validations: [{ expression: 'true' }] }, ['spec.matchConstraints: Required value']],
    [
      'with an empty expression',
      { matchConstraints, validations: [{ expression: ' ' }] },
      ['spec.validations[0].expression: Required value: expression is not specified'],
    ],
    [
      'with a bad variable',
      { matchConstraints, validations: [{ expression: 'true' }], variables: [{ name: '1', expression: 'true' }] },
      ['spec.variables[0].name: Invalid value: "1": must be a valid CEL identifier'],
    ],
  ])('%s', (_, spec, errors) => expect(errorsOf(Policies, { spec })).toEqual(errors));

  test('prints its parameters', () =>
    expect(
      row(
        Policies,
        make(Policies, { spec: { validations: [{}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } }),
      ),
    ).toEqual({ Name: 'a', Validations: 1, ParamKind: 'v1/ConfigMap', Age: AGE }));

  test.each<[object, string[]]>([
    [{ policyName: 'p' }, ['spec.validationActions: Required value: at least one validation action is required']],
    [
      { policyName: 'p', validationActions: ['Deny'], paramRef: { parameterNotFoundAction: 'Deny' } },
      ['spec.paramRef: Required value: one of name or selector must be specified'],
    ],
    [{ policyName: 'p', validationActions: ['Deny'] }, []],
  ])('is bound by %j', (spec, errors) => expect(errorsOf(Bindings, { spec })).toEqual(errors));
});
