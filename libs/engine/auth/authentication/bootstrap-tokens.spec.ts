import { expect, test } from '@jest/globals';
import type { Secret } from '../../api/core_v1.js';
import { ISSUER } from '../../machinery/requests/auth.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { AuthState } from '../testing.js';
import { authenticateBootstrapToken } from './bootstrap-tokens.js';
import { authenticateToken } from './tokens.js';

const NOW = Date.UTC(2026, 0, 1);
const TOKEN = 'abcdef.0123456789abcdef';
const FIELDS = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};

function stateWith(data: Record<string, string>, more: object = {}, name = 'bootstrap-token-abcdef'): AuthState {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encodeBase64(value)]));
  const state = new AuthState({ now: NOW });
  state.add<Secret>('secrets', name, 'kube-system', { type: 'bootstrap.kubernetes.io/token', data: encoded, ...more });
  return state;
}

// Models bootstrap_test.go TestTokenAuthenticator.
test.each<[string, Record<string, string>, string[]]>([
  ['a token', FIELDS, ['system:bootstrappers']],
  ['one with a time to come', { ...FIELDS, expiration: '2026-01-01T00:00:01Z' }, ['system:bootstrappers']],
  [
    'one with groups',
    { ...FIELDS, 'auth-extra-groups': 'system:bootstrappers:foo,system:bootstrappers:bar' },
    ['system:bootstrappers', 'system:bootstrappers:bar', 'system:bootstrappers:foo'],
  ],
])('%s is that of its user', (_, data, groups) => {
  const user = { name: 'system:bootstrap:abcdef', groups: [...groups, 'system:authenticated'] };
  expect(authenticateBootstrapToken(TOKEN, stateWith(data), NOW)).toEqual(user);
});

test.each<[string, AuthState, string?]>([
  ['no token at all', stateWith(FIELDS), 'abcdef'],
  ['another secret', stateWith(FIELDS), 'abcdef.0123456789abcdee'],
  ['one of another name', stateWith(FIELDS, {}, 'bootstrap-token-abcdeg'), 'abcdeg.0123456789abcdef'],
  ['one that is not there', stateWith(FIELDS), 'uvwxyz.0123456789abcdef'],
  ['one that has expired', stateWith({ ...FIELDS, expiration: '2026-01-01T00:00:00Z' })],
  ['one whose time cannot be read', stateWith({ ...FIELDS, expiration: 'soon' })],
  ['one that may not', stateWith({ ...FIELDS, 'usage-bootstrap-authentication': 'false' })],
  ['one with a group of others', stateWith({ ...FIELDS, 'auth-extra-groups': 'system:masters' })],
  ['a Secret of another type', stateWith(FIELDS, { type: 'Opaque' })],
])('%s is nobody’s', (_, state, token = TOKEN) =>
  expect(authenticateBootstrapToken(token, state, NOW)).toBeUndefined(),
);

test.each([
  [[ISSUER], { user: { name: 'system:bootstrap:abcdef' }, audiences: [ISSUER] }],
  [['vault'], undefined],
])('it is for the API server alone: %j', (audiences, expected) => {
  const found = authenticateToken(undefined, TOKEN, audiences, stateWith(FIELDS), NOW);
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBe('invalid bearer token');
});
