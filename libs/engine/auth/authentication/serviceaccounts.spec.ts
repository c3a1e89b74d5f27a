import { expect, test } from '@jest/globals';
import { serviceAccountGroups, serviceAccountUser, splitServiceAccount } from './serviceaccounts.js';

test('an account is a user of two groups', () => {
  expect(serviceAccountUser('shop', 'bot')).toBe('system:serviceaccount:shop:bot');
  expect(serviceAccountGroups('shop')).toEqual(['system:serviceaccounts', 'system:serviceaccounts:shop']);
});

test.each([
  ['system:serviceaccount:shop:bot', { namespace: 'shop', name: 'bot' }],
  ['system:serviceaccount:shop:', undefined],
  ['system:serviceaccount::bot', undefined],
  ['system:serviceaccount:shop', undefined],
  ['system:serviceaccount:shop:bot:x', undefined],
  ['system:node:one', undefined],
  ['shop:bot', undefined],
])('%s is split to %j', (user, expected) => expect(splitServiceAccount(user)).toEqual(expected));
