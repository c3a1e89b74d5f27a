import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceAccount } from '../../api/core_v1.js';
import { ISSUER, type TokenOptions } from '../../machinery/requests/auth.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { HOUR, MINUTE, SECOND } from '../../machinery/time/time.js';
import { AuthState } from '../testing.js';
import { authenticateBoundToken, issueBoundToken } from './bound-tokens.js';

const NOW = Date.UTC(2026, 0, 2);
const { tokens: key } = new ClusterKeys('a secret');

let state: AuthState;
let account: ServiceAccount;
beforeEach(() => {
  state = new AuthState({ now: NOW });
  account = state.add('serviceaccounts', 'bot', 'shop');
});

const issue = (options: Partial<TokenOptions> = {}): string =>
  issueBoundToken(key, account, { audiences: [ISSUER], issued: NOW, expires: NOW + HOUR, id: 'id-1', ...options });
const authenticate = (token: string, now = NOW, audiences = [ISSUER]): unknown =>
  authenticateBoundToken(key.verify(token)!, audiences, state, now);

test('the claims', () =>
  expect(key.verify(issue({ audiences: ['a', 'b'], bound: { pod: { name: 'p', uid: 'u' } } }))).toEqual({
    aud: ['a', 'b'],
    exp: (NOW + HOUR) / SECOND,
    iat: NOW / SECOND,
    iss: ISSUER,
    jti: 'id-1',
    nbf: NOW / SECOND,
    sub: 'system:serviceaccount:shop:bot',
    'kubernetes.io': {
      namespace: 'shop',
      pod: { name: 'p', uid: 'u' },
      serviceaccount: { name: 'bot', uid: 'uid-bot' },
    },
  }));

describe('the user', () => {
  test('is the account, for the audiences that both name', () =>
    expect(authenticate(issue({ audiences: ['vault', 'a'] }), NOW, ['vault', 'b'])).toEqual({
      user: {
        name: 'system:serviceaccount:shop:bot',
        uid: 'uid-bot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id-1'] },
      },
      audiences: ['vault'],
    }));

  test('has the pod and the node that the token is bound to', () => {
    state.add('pods', 'web', 'shop', { spec: {}, status: {} });
    const bound = { pod: { name: 'web', uid: 'uid-web' }, node: { name: 'one', uid: 'uid-one' } };
    expect(authenticate(issue({ bound }))).toMatchObject({
      user: {
        extra: {
          'authentication.kubernetes.io/credential-id': ['JTI=id-1'],
          'authentication.kubernetes.io/node-name': ['one'],
          'authentication.kubernetes.io/node-uid': ['uid-one'],
          'authentication.kubernetes.io/pod-name': ['web'],
          'authentication.kubernetes.io/pod-uid': ['uid-web'],
        },
      },
    });
  });
});

describe('a token is refused', () => {
  test.each<[string, number, string[], string]>([
    [
      'for other audiences',
      NOW,
      ['vault', 'b'],
      `token audiences ["${ISSUER}"] is invalid for the target audiences ["vault" "b"]`,
    ],
    ['when it has expired', NOW + HOUR + 60 * SECOND + 1, [ISSUER], 'service account token has expired'],
    ['before it is valid', NOW - 61 * SECOND, [ISSUER], 'service account token is not valid yet'],
  ])('%s', (_, now, audiences, reason) => expect(authenticate(issue(), now, audiences)).toBe(reason));

  test('without its account', () => {
    state.remove('serviceaccounts', { namespace: 'shop', name: 'bot' }, 'test', 0);
    expect(authenticate(issue())).toBe('serviceaccounts "bot" not found');
  });

  test('when its account was created anew', () => {
    const token = issue();
    state.add('serviceaccounts', 'bot', 'shop', { metadata: { name: 'bot', namespace: 'shop', uid: 'new' } });
    expect(authenticate(token)).toBe('service account UID (new) does not match claim (uid-bot)');
  });

  test('a minute after its account was deleted', () => {
    const token = issue();
    const deletionTimestamp = new Date(NOW).toISOString();
    state.add('serviceaccounts', 'bot', 'shop', { metadata: { ...account.metadata, deletionTimestamp } });
    expect(authenticate(token, NOW + MINUTE)).toMatchObject({ audiences: [ISSUER] });
    expect(authenticate(token, NOW + MINUTE + 1)).toBe('service account has been deleted');
  });

  test.each([
    ['pod', 'pods', 'shop'],
    ['secret', 'secrets', 'shop'],
    ['node', 'nodes', ''],
  ])('without the %s that it is bound to', (field, resource, namespace) => {
    const token = issue({ bound: { [field]: { name: 'x', uid: 'uid-x' } } });
    expect(authenticate(token)).toBe('service account token has been invalidated');
    state.add(resource, 'x', namespace, { spec: {}, status: {} });
    expect(authenticate(token)).toMatchObject({ audiences: [ISSUER] });
    state.add(resource, 'x', namespace, { metadata: { name: 'x', namespace: namespace || undefined, uid: 'new' } });
    expect(authenticate(token)).toBe('service account token has been invalidated');
  });
});
