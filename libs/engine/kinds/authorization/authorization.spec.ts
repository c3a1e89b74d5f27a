import { expect, test } from '@jest/globals';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { kind as SelfSubjectReviews } from '../authentication/selfsubjectreview/kind.js';
import { kind as TokenReviews } from '../authentication/tokenreview/kind.js';
import { context, make } from '../testing.js';
import { kind as LocalReviews } from './localsubjectaccessreview/kind.js';
import { kind as SelfReviews } from './selfsubjectaccessreview/kind.js';
import { kind as RulesReviews } from './selfsubjectrulesreview/kind.js';
import { kind as Reviews } from './subjectaccessreview/kind.js';

const client = { list: () => [] } as unknown as Client;
const ask = <T extends KubeObject>(kind: Kind<T>, fields: Record<string, unknown>): T =>
  kind.evaluate!({ ...make(kind, fields), metadata: (fields['metadata'] ?? {}) as T['metadata'] }, client, context);
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };

test('who may do what is answered', () => {
  expect(ask(SelfReviews, { spec: { resourceAttributes } }).status).toEqual({ allowed: true });
  expect(ask(Reviews, { spec: { user: 'bob', resourceAttributes } }).status).toEqual({ allowed: false });
  expect(ask(Reviews, { spec: { groups: ['system:masters'], resourceAttributes } }).status).toEqual({ allowed: true });
  expect(ask(RulesReviews, { spec: { namespace: 'default' } }).status).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: false,
  });
});

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
  expect(ask(SelfReviews, { spec: { resourceAttributes: { ...resourceAttributes, ...selectors } } }).status).toEqual({
    allowed: true,
    evaluationError,
  }),
);

test('who I am is answered', () =>
  expect(ask(SelfSubjectReviews, {}).status).toEqual({
    userInfo: { username: 'ann', groups: ['system:masters', 'system:authenticated'] },
  }));
test('no token is known', () =>
  expect(ask(TokenReviews, { spec: { token: 'x' } }).status).toEqual({ user: {}, error: 'invalid bearer token' }));

test.each<[string, () => unknown, string]>([
  [
    'of nothing',
    () => ask(SelfReviews, {}),
    '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    'of nobody',
    () => ask(Reviews, { spec: { resourceAttributes } }),
    'spec.user: Invalid value: "": at least one of user or group must be specified',
  ],
  [
    'with a name',
    () => ask(Reviews, { metadata: { name: 'a' }, spec: { user: 'bob', resourceAttributes } }),
    'metadata: Invalid value: {"name":"a"}: must be empty',
  ],
  [
    'of a label that cannot be',
    () =>
      ask(SelfReviews, {
        spec: {
          resourceAttributes: { labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b.'] }] } },
        },
      }),
    "spec.resourceAttributes.labelSelector.requirements[0].values[0]: Invalid value: \"b.\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'of an empty selector',
    () => ask(SelfReviews, { spec: { resourceAttributes: { labelSelector: {} } } }),
    'spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
  ],
  [
    'of two selectors',
    () =>
      ask(SelfReviews, {
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
      ask(SelfReviews, {
        spec: { resourceAttributes: { fieldSelector: { requirements: [{ key: 'a', operator: 'In' }] } } },
      }),
    "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
  [
    'of another namespace',
    () => ask(LocalReviews, { metadata: { namespace: 'other' }, spec: { user: 'bob', resourceAttributes } }),
    'spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace',
  ],
  ['of no namespace', () => ask(RulesReviews, {}), 'no namespace on request'],
  ['of no token', () => ask(TokenReviews, {}), 'token is required for TokenReview in authentication'],
])('a review %s is refused', (_, review, message) => expect(review).toThrow(message));
