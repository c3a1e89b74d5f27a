import { expect, test } from '@jest/globals';
import { AuthState, userOf } from '../testing.js';
import { isAuthorizedForSignerName } from './signers.js';

const state = new AuthState({ now: 0 });
state.addRole('one', '', 'approve certificates.k8s.io signers kubernetes.io/kubelet-serving');
state.addRole('domain', '', 'sign certificates.k8s.io signers example.com/*');
state.bind('one', '', 'ClusterRole/one', { kind: 'User', name: 'ann' });
state.bind('domain', '', 'ClusterRole/domain', { kind: 'User', name: 'bob' });

test.each<[string, 'approve' | 'sign', string, boolean]>([
  ['ann', 'approve', 'kubernetes.io/kubelet-serving', true],
  ['ann', 'approve', 'kubernetes.io/legacy-unknown', false],
  ['ann', 'sign', 'kubernetes.io/kubelet-serving', false],
  ['bob', 'sign', 'example.com/any', true],
  ['bob', 'sign', 'example.com/a/b', true],
  ['bob', 'sign', 'other.example.com/any', false],
])('%s may %s for %s: %s', (name, verb, signer, expected) =>
  expect(isAuthorizedForSignerName(userOf(name), verb, signer, state)).toBe(expected),
);
