import { expect, test } from '@jest/globals';
import { evaluate, resourceAttributes } from '../testing.js';
import { kind } from './kind.js';

test.each<[object, boolean]>([
  [{ user: 'bob' }, false],
  [{ groups: ['system:masters'] }, true],
])('of %j', (subject, allowed) =>
  expect(evaluate(kind, { spec: { ...subject, resourceAttributes } }).status).toEqual({ allowed }),
);

test.each<[string, Record<string, unknown>, string]>([
  [
    'of nobody',
    { spec: { resourceAttributes } },
    'spec.user: Invalid value: "": at least one of user or group must be specified',
  ],
  [
    'with a name',
    { metadata: { name: 'a' }, spec: { user: 'bob', resourceAttributes } },
    'metadata: Invalid value: {"name":"a"}: must be empty',
  ],
])('a review %s is refused', (_, fields, message) => expect(() => evaluate(kind, fields)).toThrow(message));
