import { expect, test } from '@jest/globals';
import { planEdit } from './plan-edit.js';

const pod = (...containers: object[]): object => ({ metadata: { resourceVersion: '7' }, spec: { containers } });
const a = { name: 'a', image: 'x:1', env: [{ name: 'E', value: '1' }] };
const b = { name: 'b', image: 'y' };

test.each([
  ['nothing', pod(a), pod(a), true, undefined],
  [
    'a field',
    { spec: { replicas: 1, paused: true } },
    { spec: { replicas: 3, paused: true } },
    true,
    { spec: { replicas: 3 } },
  ],
  ['a field that is gone', { spec: { x: 1, y: 2 } }, { spec: { y: 2 } }, true, { spec: { x: null } }],
  [
    'an entry by its key',
    pod(a, b),
    pod({ ...a, image: 'x:2' }, b),
    true,
    { spec: { containers: [{ name: 'a', image: 'x:2' }] } },
  ],
  ['an entry that is gone', pod(a, b), pod(b), true, { spec: { containers: [{ $patch: 'delete', name: 'a' }] } }],
  ['a new entry', pod(b), pod(b, a), true, { spec: { containers: [a] } }],
  ['a list of a custom resource', pod(a, b), pod(b), false, { spec: { containers: [b] } }],
  ['a list without a key', { args: ['a'] }, { args: ['a', 'b'] }, true, { args: ['a', 'b'] }],
])('%s', (_, before, next, strategic, patch) => expect(planEdit(before, next, strategic)).toEqual(patch));
