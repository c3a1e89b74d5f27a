import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Secret, ServiceAccount } from '../../api/core_v1.js';
import { ISSUER } from '../../machinery/requests/auth.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { AuthState } from '../testing.js';
import { authenticateLegacyToken, isLegacy, issueLegacyToken } from './legacy-tokens.js';

const { tokens: key } = new ClusterKeys('a secret');
const INVALIDATED = 'service account token has been invalidated';

let state: AuthState;
let token: string;
beforeEach(() => {
  state = new AuthState({ now: 0 });
  const account = state.add<ServiceAccount>('serviceaccounts', 'bot', 'shop');
  const secret = state.add<Secret>('secrets', 'bot-token', 'shop');
  token = issueLegacyToken(key, account, secret);
  state.add('secrets', 'bot-token', 'shop', { data: { token: encodeBase64(token) } });
});
const authenticate = (audiences = [ISSUER]): unknown =>
  authenticateLegacyToken(key.verify(token)!, token, audiences, state);

test('the claims', () => {
  const claims = key.verify(token)!;
  expect(claims).toEqual({
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': 'shop',
    'kubernetes.io/serviceaccount/secret.name': 'bot-token',
    'kubernetes.io/serviceaccount/service-account.name': 'bot',
    'kubernetes.io/serviceaccount/service-account.uid': 'uid-bot',
    sub: 'system:serviceaccount:shop:bot',
  });
  expect(isLegacy(claims)).toBe(true);
  expect(isLegacy({ iss: ISSUER })).toBe(false);
});

test('the user is the account', () =>
  expect(authenticate()).toEqual({
    user: {
      name: 'system:serviceaccount:shop:bot',
      uid: 'uid-bot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    },
    audiences: [ISSUER],
  }));

describe('a token is refused', () => {
  test.each<[string, () => unknown]>([
    ['without its Secret', () => state.remove('secrets', { namespace: 'shop', name: 'bot-token' }, 'test', 0)],
    ['when its Secret holds another', () => state.add('secrets', 'bot-token', 'shop', { data: { token: 'eA==' } })],
    [
      'when its Secret is being deleted',
      () =>
        state.add('secrets', 'bot-token', 'shop', {
          metadata: { name: 'bot-token', namespace: 'shop', deletionTimestamp: '2026-01-01T00:00:00Z' },
          data: { token: encodeBase64(token) },
        }),
    ],
    ['without its account', () => state.remove('serviceaccounts', { namespace: 'shop', name: 'bot' }, 'test', 0)],
    [
      'when its account was created anew',
      () => state.add('serviceaccounts', 'bot', 'shop', { metadata: { name: 'bot', namespace: 'shop', uid: 'new' } }),
    ],
  ])('%s', (_, change) => {
    change();
    expect(authenticate()).toBe(INVALIDATED);
  });

  test('for another audience', () =>
    expect(authenticate(['vault'])).toBe('token audiences are invalid for the target audiences'));
});
