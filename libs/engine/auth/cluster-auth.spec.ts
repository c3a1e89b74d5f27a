import { beforeEach, expect, test } from '@jest/globals';
import type { ServiceAccount } from '../api/core_v1.js';
import { ISSUER, makeAccess } from '../machinery/requests/auth.js';
import { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import { HOUR } from '../machinery/time/time.js';
import { ClusterAuth } from './cluster-auth.js';
import { AuthState, userOf } from './testing.js';

const JANE = userOf('jane');
let state: AuthState;
let auth: ClusterAuth;
beforeEach(() => {
  state = new AuthState({ now: 0 });
  auth = new ClusterAuth(state, new ClusterKeys('a secret'));
});

test('decides by the roles of the moment', () => {
  const access = makeAccess('list', { resource: 'pods' });
  expect(auth.authorize(JANE, access).allowed).toBe(false);
  state.addRole('reader', '', 'list core pods');
  state.bind('reader', '', 'ClusterRole/reader', { kind: 'User', name: 'jane' });
  expect(auth.authorize(JANE, access).allowed).toBe(true);
  expect(auth.rulesFor(JANE, 'shop').resourceRules).toEqual([
    { verbs: ['list'], apiGroups: [''], resources: ['pods'] },
  ]);
});

const OPTIONS = { audiences: [ISSUER], issued: 0, expires: HOUR, id: '1' };

test('issues tokens that it authenticates until they expire', () => {
  const token = auth.issueToken(state.add<ServiceAccount>('serviceaccounts', 'bot', 'shop'), OPTIONS)!;
  expect(auth.authenticateToken(token, [ISSUER])).toMatchObject({ user: { uid: 'uid-bot' } });
  state.now = HOUR + 60_001;
  expect(auth.authenticateToken(token, [ISSUER])).toBe('service account token has expired');
});

test('has no tokens without keys', () => {
  const keyless = new ClusterAuth(state, undefined);
  const account = state.add<ServiceAccount>('serviceaccounts', 'bot', 'shop');
  expect(keyless.issueToken(account, OPTIONS)).toBeUndefined();
  expect(keyless.authenticateToken(auth.issueToken(account, OPTIONS)!, [ISSUER])).toBe('invalid bearer token');
});
