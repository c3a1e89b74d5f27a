import { expect, test } from '@jest/globals';
import { planPatch } from './three-way.js';

const pod = (...containers: object[]) => ({ spec: { containers } });

test.each([
  ['a new field', { a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }],
  ['a field that is gone', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: null }],
  ['a list without keys', { args: ['a'] }, { args: ['b'] }, { args: ['b'] }],
  [
    'an entry that is gone',
    pod({ name: 'a' }, { name: 'b' }),
    pod({ name: 'a', image: 'x' }),
    pod({ name: 'a', image: 'x' }, { $patch: 'delete', name: 'b' }),
  ],
  [
    'a field of an entry that is gone',
    pod({ name: 'a', tty: true }),
    pod({ name: 'a' }),
    pod({ name: 'a', tty: null }),
  ],
])('%s', (_case, before, next, expected) => expect(planPatch(before, next, true)).toEqual(expected));

test('a merge patch replaces lists', () =>
  expect(planPatch(pod({ name: 'a' }), pod({ name: 'b' }), false)).toEqual(pod({ name: 'b' })));
