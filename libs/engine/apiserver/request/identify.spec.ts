import { beforeEach, describe, expect, test } from '@jest/globals';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { deriveKey, SigningKey } from '../../machinery/crypto/signing-key.js';
import { commonName } from '../../machinery/crypto/x509/name.js';
import type { ApiRequest } from '../../machinery/requests/http.js';
import { DAY, SECOND } from '../../machinery/time/time.js';
import { pod, TestServer, type Answer } from '../testing.js';
import { identify } from './identify.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo } from './requestinfo.js';

const PODS = '/api/v1/namespaces/default/pods';
const ANONYMOUS = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const BOT = 'system:serviceaccount:default:default';

let server: TestServer;
beforeEach(() => {
  server = new TestServer();
});

/** The name of the request's user, or the error. */
function userOf(request: Partial<ApiRequest>): string {
  const whole = { method: 'GET', path: PODS, query: '', headers: {}, ...request };
  try {
    return identify(server.server, whole, newRequestInfo(whole, new Query('')), server.state.now).user.name;
  } catch (error) {
    return (error as Error).message;
  }
}
const bearer = (token: string): Partial<ApiRequest> => ({ headers: { authorization: `Bearer ${token}` } });

const request = (spec: object = {}): Answer =>
  server.post('/api/v1/namespaces/default/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
const token = (spec?: object): string => request(spec).body.status.token;

function certificate(name: string, secret = 'a secret'): Uint8Array {
  return new ClusterKeys(secret).authority.issue({
    subject: commonName(name),
    serial: Uint8Array.of(1),
    notBefore: server.state.now - DAY,
    notAfter: server.state.now + DAY,
    publicKey: new SigningKey(deriveKey('client', 'client')).publicKey,
    extensions: [],
  });
}

describe('the user is', () => {
  const host = { name: 'kubernetes-admin', groups: ['system:masters'] };

  test('of the client certificate first', () =>
    expect(userOf({ clientCertificate: certificate('jane'), user: host, ...bearer('x') })).toBe('jane'));
  test('then as the host has authenticated it, also beside a certificate of another authority', () => {
    expect(userOf({ user: host, ...bearer('x') })).toBe('kubernetes-admin');
    expect(userOf({ user: host, clientCertificate: certificate('jane', 'other') })).toBe('kubernetes-admin');
  });
  test('then of the token', () => {
    expect(userOf(bearer(token()))).toBe(BOT);
    expect(userOf({ ...bearer(token()), clientCertificate: certificate('jane', 'other') })).toBe(BOT);
  });
  test('nobody with a certificate of another authority alone', () =>
    expect(userOf({ clientCertificate: certificate('jane', 'other') })).toBe('Unauthorized'));
  test('the one that it impersonates', () =>
    expect(userOf({ user: host, headers: { 'impersonate-user': 'bob' } })).toBe('bob'));

  test('not copied when the host has named it', () => {
    const own: ApiRequest = { method: 'GET', path: PODS, query: '', headers: {}, user: host };
    expect(identify(server.server, own, newRequestInfo(own, new Query('')), 0)).toBe(own);
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic amFuZTpwYXNz'])(
    'system:anonymous without a token: %j',
    (authorization) => {
      const anonymous: ApiRequest = { method: 'GET', path: PODS, query: '', headers: { authorization } };
      const { user } = identify(server.server, anonymous, newRequestInfo(anonymous, new Query('')), server.state.now);
      expect(user).toEqual(ANONYMOUS);
    },
  );

  test('found whatever the case of the scheme', () =>
    expect(userOf({ headers: { authorization: `bearer ${token()}` } })).toBe(BOT));
});

describe('401 for', () => {
  const [HEADER, CLAIMS, SIGNATURE] = [0, 1, 2];
  const partOf = (text: string, part: number): string => text.split('.')[part]!;
  const base64Url = (text: string): string => Buffer.from(text).toString('base64url');

  test.each<[string, () => string]>([
    ['a text that is no token', () => 'x'],
    ['another signature', () => `${token().slice(0, -4)}AAAA`],
    ['no signature', () => `${base64Url('{"alg":"none","typ":"JWT"}')}.${partOf(token(), CLAIMS)}.`],
    [
      'other claims',
      () => {
        const text = token();
        const claims = Buffer.from(partOf(text, CLAIMS), 'base64url').toString();
        const changed = base64Url(claims.replaceAll('default:default', 'default:root'));
        return [partOf(text, HEADER), changed, partOf(text, SIGNATURE)].join('.');
      },
    ],
    ['another audience', () => token({ audiences: ['vault'] })],
  ])('%s', (_, make) => {
    expect(userOf(bearer(make()))).toBe('Unauthorized');
    expect(server.call('GET', PODS, undefined, {}).status).toBe(200);
  });
});

describe('a token', () => {
  test('names its account', () => {
    const [, claims] = token({ audiences: ['vault'] }).split('.');
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
      aud: ['vault'],
      iss: 'https://kubernetes.default.svc.cluster.local',
      sub: BOT,
    });
  });

  test('expires', () => {
    const text = token({ expirationSeconds: 600 });
    server.state.now += 599 * SECOND;
    expect(userOf(bearer(text))).toBe(BOT);
    server.state.now += 62 * SECOND;
    expect(userOf(bearer(text))).toBe('Unauthorized');
  });

  test('ends with its account, even when that is created anew', () => {
    const text = token();
    server.call('DELETE', '/api/v1/namespaces/default/serviceaccounts/default', { gracePeriodSeconds: 0 });
    expect(userOf(bearer(text))).toBe('Unauthorized');
    server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    expect(userOf(bearer(text))).toBe('Unauthorized');
  });

  test('ends with the pod that it is bound to', () => {
    server.post(PODS, pod('a'));
    const text = token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'a' } });
    expect(userOf(bearer(text))).toBe(BOT);
    server.call('DELETE', `${PODS}/a`, { gracePeriodSeconds: 0 });
    expect(userOf(bearer(text))).toBe('Unauthorized');
  });

  test.each<[object, number, string]>([
    [
      { expirationSeconds: 60 },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    ],
    [{ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'nope' } }, 404, 'pods "nope" not found'],
    [
      { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
  ])('is not issued for %j', (spec, status, message) => {
    const answer = request(spec);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  test('is reviewed', () => {
    const review = (text: string, audiences?: string[]): unknown =>
      server.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: text, audiences } }).body.status;
    expect(review(token({ audiences: ['vault'] }), ['vault', 'x'])).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
      user: { username: BOT },
    });
    expect(review('x')).toEqual({ user: {}, error: 'invalid bearer token' });
  });
});
