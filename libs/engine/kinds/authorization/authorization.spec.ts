import { expect, test } from '@jest/globals';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/object.js';
import { kind as SelfSubjectReviews } from '../authentication/selfsubjectreview/kind.js';
import { kind as TokenReviews } from '../authentication/tokenreview/kind.js';
import { context, make } from '../testing.js';
import { kind as LocalReviews } from './localsubjectaccessreview/kind.js';
import { kind as SelfReviews } from './selfsubjectaccessreview/kind.js';
import { kind as RulesReviews } from './selfsubjectrulesreview/kind.js';
import { kind as Reviews } from './subjectaccessreview/kind.js';

const client = { list: () => [] } as unknown as Client;
const ask = <T extends KubeObject>(kind: Kind<T>, fields: Record<string, unknown>): T => kind.evaluate!(make(kind, fields), client, context);
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };

test('who may do what is answered', () => {
  expect(ask(SelfReviews, { spec: { resourceAttributes } }).status).toEqual({ allowed: true });
  expect(ask(Reviews, { spec: { user: 'bob', resourceAttributes } }).status).toEqual({ allowed: false });
  expect(ask(Reviews, { spec: { groups: ['system:masters'], resourceAttributes } }).status).toEqual({ allowed: true });
  expect(ask(RulesReviews, { spec: { namespace: 'default' } }).status).toEqual({ resourceRules: [], nonResourceRules: [], incomplete: false });
});

test('who I am is answered', () => expect(ask(SelfSubjectReviews, {}).status).toEqual({ userInfo: { username: 'ann', groups: ['system:masters', 'system:authenticated'] } }));
test('no token is known', () => expect(ask(TokenReviews, { spec: { token: 'x' } }).status).toEqual({ user: {}, error: 'invalid bearer token' }));

test.each<[string, () => unknown, string]>([
  ['of nothing', () => ask(SelfReviews, {}), 'SelfSubjectAccessReview.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified'],
  ['of nobody', () => ask(Reviews, { spec: { resourceAttributes } }), 'spec.user: Invalid value: "": at least one of user or group must be specified'],
  ['of another namespace', () => ask(LocalReviews, { metadata: { namespace: 'other' }, spec: { user: 'bob', resourceAttributes } }), 'spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace'],
  ['of no namespace', () => ask(RulesReviews, {}), 'no namespace on request'],
  ['of no token', () => ask(TokenReviews, {}), 'token is required for TokenReview in authentication'],
])('a review %s is refused', (_, review, message) => expect(review).toThrow(message));
