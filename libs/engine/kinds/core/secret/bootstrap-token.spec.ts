import { expect, test } from '@jest/globals';
import type { Secret } from '../../../api/core_v1.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import { isBootstrapToken, lifeOf, makeBootstrapSecret, readBootstrapToken, signsFor } from './bootstrap-token.js';

const NOW = Date.UTC(2026, 0, 1);
const FIELDS = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-signing': 'true',
};

function secretOf(fields: Record<string, string>, name = 'bootstrap-token-abcdef', namespace = 'kube-system'): Secret {
  const data = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, encodeBase64(value)]));
  return { metadata: { name, namespace }, type: 'bootstrap.kubernetes.io/token', data } as unknown as Secret;
}

test('what a Secret says of its token', () => {
  const more = {
    description: 'mine',
    expiration: '2026-01-02T00:00:00Z',
    'auth-extra-groups': 'system:bootstrappers:a',
  };
  expect(readBootstrapToken(secretOf({ ...FIELDS, ...more, 'usage-bootstrap-authentication': 'false' }))).toEqual({
    id: 'abcdef',
    secret: '0123456789abcdef',
    expiration: '2026-01-02T00:00:00Z',
    usages: ['signing'],
    description: 'mine',
    groups: 'system:bootstrappers:a',
  });
});

test.each([
  [{ usages: [], description: 'a proxy', expiration: '2026-01-02T00:00:00Z', groups: '' }],
  [{ usages: ['authentication', 'signing'], description: '', expiration: '', groups: 'system:bootstrappers:a' }],
])('a Secret says all of %j', (more) => {
  const token = { id: 'abcdef', secret: '0123456789abcdef', ...more };
  const secret = makeBootstrapSecret(token);
  expect(secret.metadata).toEqual({ namespace: 'kube-system', name: 'bootstrap-token-abcdef' });
  expect([isBootstrapToken(secret), readBootstrapToken(secret)]).toEqual([true, token]);
});

test.each([
  ['kube-system', 'bootstrap.kubernetes.io/token', true],
  ['default', 'bootstrap.kubernetes.io/token', false],
  ['kube-system', 'Opaque', false],
])('a Secret in %s of type %s is one: %s', (namespace, type, expected) => {
  expect(isBootstrapToken({ ...secretOf({}, 'x', namespace), type })).toBe(expected);
});

test.each([
  ['', Infinity],
  ['2026-01-01T00:00:05Z', 5_000],
  ['2026-01-01T00:00:00Z', 0],
  ['2025-12-31T00:00:00Z', 0],
  ['tomorrow', 0],
])('a token with the expiration %j has %d ms left', (expiration, expected) => {
  expect(lifeOf(readBootstrapToken(secretOf({ expiration })), NOW)).toBe(expected);
});

test.each<[string, Record<string, string>, boolean]>([
  ['of the name of its Secret', {}, true],
  ['of another name', { 'token-id': 'zzzzzz' }, false],
  ['with a short secret', { 'token-secret': 'short' }, false],
  ['for authentication only', { 'usage-bootstrap-signing': 'false' }, false],
  ['that has expired', { expiration: '2025-12-31T00:00:00Z' }, false],
])('a token %s signs: %s', (_case, fields, expected) => {
  const secret = secretOf({ ...FIELDS, ...fields });
  expect(signsFor(secret, readBootstrapToken(secret), NOW)).toBe(expected);
});
