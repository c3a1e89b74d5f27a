import { expect, test } from '@jest/globals';
import { Refusal } from '../refusal.js';
import { checkSubject, subjectName } from './subject.js';

test.each([
  ['jane', true],
  ['jane.doe@example.com', true],
  ['system:serviceaccount:default:web', true],
  ['oidc:team/ops', true],
  ['', false],
  [' jane', false],
  ['jane doe', false],
  ['jane\n', false],
  ['-jane', false],
  ['Zoë', false],
  ['a'.repeat(253), true],
  ['a'.repeat(254), false],
])('the name %j is allowed: %s', (name, allowed) => expect(subjectName.safeParse(name).success).toBe(allowed));

test.each([
  [{ user: 'jane', groups: ['dev', 'ops'] }],
  [{ user: 'jane', groups: [] }],
  [{ user: 'my:system:user', groups: ['systems'] }],
])('a key of scope use may name %j', (subject) => expect(() => checkSubject('use', subject)).not.toThrow());

test.each([
  [{ user: 'system:admin', groups: ['dev'] }, 'user "system:admin" begins with "system:"'],
  [{ user: 'jane', groups: ['dev', 'system:masters'] }, 'group "system:masters" begins with "system:"'],
])('only a key of scope manage may name %j', (subject, words) => {
  for (const scope of ['read', 'use'] as const) {
    expect(() => checkSubject(scope, subject)).toThrow(Refusal);
    expect(() => checkSubject(scope, subject)).toThrow(words);
  }
  expect(() => checkSubject('manage', subject)).not.toThrow();
});
