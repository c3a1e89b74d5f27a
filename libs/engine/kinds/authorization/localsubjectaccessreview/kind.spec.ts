import { expect, test } from '@jest/globals';
import { evaluate, resourceAttributes } from '../testing.js';
import { kind } from './kind.js';

test('of its own namespace', () =>
  expect(
    evaluate(kind, { metadata: { namespace: 'default' }, spec: { groups: ['system:masters'], resourceAttributes } })
      .status,
  ).toEqual({ allowed: true }));

test.each<[string, Record<string, unknown>, string]>([
  [
    'of another namespace',
    { metadata: { namespace: 'other' }, spec: { user: 'bob', resourceAttributes } },
    'spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace',
  ],
  [
    'of a URL',
    { metadata: { namespace: 'default' }, spec: { user: 'bob', nonResourceAttributes: { path: '/', verb: 'get' } } },
    'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: disallowed on this kind of request',
  ],
  [
    'with a name',
    { metadata: { name: 'a', namespace: 'default' }, spec: { user: 'bob', resourceAttributes } },
    'must be empty except for namespace',
  ],
])('a review %s is refused', (_, fields, message) => expect(() => evaluate(kind, fields)).toThrow(message));
