import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row } from '../../testing.js';
import { kind as MutatingWebhooks } from '../mutatingwebhookconfiguration/kind.js';
import { kind as ValidatingWebhooks } from './kind.js';

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
