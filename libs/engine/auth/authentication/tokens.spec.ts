import { expect, test } from '@jest/globals';
import type { Secret, ServiceAccount } from '../../api/core_v1.js';
import { ISSUER } from '../../machinery/requests/auth.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { HOUR } from '../../machinery/time/time.js';
import { AuthState } from '../testing.js';
import { issueBoundToken } from './bound-tokens.js';
import { issueLegacyToken } from './legacy-tokens.js';
import { authenticateToken } from './tokens.js';

const { tokens: key } = new ClusterKeys('a secret');
const state = new AuthState({ now: 0 });
const account = state.add<ServiceAccount>('serviceaccounts', 'bot', 'shop');
const bound = issueBoundToken(key, account, { audiences: [ISSUER], issued: 0, expires: HOUR, id: '1' });
const legacy = issueLegacyToken(key, account, state.add<Secret>('secrets', 's', 'shop'));
state.add('secrets', 's', 'shop', { data: { token: encodeBase64(legacy) } });

test.each([
  ['bound', bound],
  ['legacy', legacy],
])('a %s token is that of its account', (_, token) =>
  expect(authenticateToken(key, token, [ISSUER], state, 0)).toMatchObject({
    user: { name: 'system:serviceaccount:shop:bot' },
    audiences: [ISSUER],
  }),
);

test.each([
  ['a text', key, 'x'],
  ["another cluster's token", new ClusterKeys('another').tokens, bound],
  ['any token without a key', undefined, bound],
  ['an unsigned token', key, `${bound.split('.').slice(0, 2).join('.')}.`],
])('%s is invalid', (_, own, token) =>
  expect(authenticateToken(own, token, [ISSUER], state, 0)).toBe('invalid bearer token'),
);
