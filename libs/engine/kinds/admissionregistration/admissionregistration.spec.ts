import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row } from '../testing.js';
import { kind as MutatingWebhooks } from './mutatingwebhookconfiguration/kind.js';
import { kind as Policies } from './validatingadmissionpolicy/kind.js';
import { kind as Bindings } from './validatingadmissionpolicybinding/kind.js';
import { kind as ValidatingWebhooks } from './validatingwebhookconfiguration/kind.js';

const hook = {
  name: 'a.b.io',
  clientConfig: { service: { name: 's', namespace: 'n' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };

describe('a webhook', () => {
  test.each<[string, object, string[]]>([
    ['that is good', { rules: [rule] }, []],
    [
      'of a short name',
      { name: 'b.io' },
      ['webhooks[0].name: Invalid value: "b.io": should be a domain with at least three segments separated by dots'],
    ],
    [
      'without side effects',
      { sideEffects: undefined },
      ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    ],
    [
      'with some side effects',
      { sideEffects: 'Some' },
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      'of no version',
      { admissionReviewVersions: [] },
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      'of unknown versions',
      { admissionReviewVersions: ['v9'] },
      ['webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1'],
    ],
    [
      'nowhere',
      { clientConfig: {} },
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'over plain HTTP',
      { clientConfig: { url: 'http://a.io/x' } },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    [
      'that waits long',
      { timeoutSeconds: 31 },
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      'of all operations and one',
      { rules: [{ ...rule, operations: ['*', 'CREATE'] }] },
      [
        'webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if \'*\' is present, must not specify other operations',
      ],
    ],
    [
      'of all resources and one',
      { rules: [{ ...rule, resources: ['*', 'pods'] }] },
      [
        'webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
      ],
    ],
  ])('%s', (_, fields, errors) =>
    expect(errorsOf(ValidatingWebhooks, { webhooks: [{ ...hook, ...fields }] })).toEqual(errors),
  );

  test('gets its defaults', () =>
    expect(create(MutatingWebhooks, { webhooks: [{ ...hook, rules: [rule] }] }).webhooks).toEqual([
      {
        ...hook,
        clientConfig: { service: { name: 's', namespace: 'n', port: 443 } },
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
        rules: [{ ...rule, scope: '*' }],
      },
    ]));

  test('is counted', () =>
    expect(row(ValidatingWebhooks, make(ValidatingWebhooks, { webhooks: [hook, hook] }))).toEqual({
      Name: 'a',
      Webhooks: 2,
      Age: AGE,
    }));
});

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
