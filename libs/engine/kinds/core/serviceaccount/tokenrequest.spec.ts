import { describe, expect, test } from '@jest/globals';
import type { TokenRequest } from '../../../api/authentication_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ClusterAuth } from '../../../auth/cluster-auth.js';
import { ClusterKeys } from '../../../machinery/crypto/cluster-keys.js';
import type { Kind } from '../../../machinery/kind.js';
import { State } from '../../../runtime/state/state.js';
import { context, make } from '../../testing.js';
import { kind as Pods } from '../pod/kind.js';
import { kind } from './kind.js';

const account = make(kind, { metadata: { name: 'builder', namespace: 'default', uid: 'u1' } });

/** POST of serviceaccounts/builder/token in a cluster with these objects: plural and name. */
function requestToken(
  body: object,
  objects: Record<string, KubeObject> = {},
  keys = new ClusterKeys('k'),
): TokenRequest {
  const read = {
    ...context.read,
    get: ({ plural }: Kind, { name }: { name: string }) => objects[`${plural}/${name}`],
  };
  return kind.subresources!.actions!['token']!.handle({
    object: account,
    body: { spec: {}, ...body },
    context: { ...context, read, auth: new ClusterAuth(new State(), keys) },
    verb: 'create',
  } as never) as TokenRequest;
}
const claimsOf = ({ status }: TokenRequest): Record<string, unknown> =>
  JSON.parse(atob(status.token!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;

test('a token is a JWT of the account, for an hour and this cluster', () => {
  const answer = requestToken({});
  expect(answer).toMatchObject({
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: 'builder', namespace: 'default', creationTimestamp: '2026-01-01T12:00:00Z' },
    spec: { audiences: ['https://kubernetes.default.svc.cluster.local'], expirationSeconds: 3600 },
    status: { expirationTimestamp: '2026-01-01T13:00:00Z' },
  });
  expect(answer.status.token!.split('.')).toHaveLength(3);
  expect(claimsOf(answer)).toMatchObject({
    aud: ['https://kubernetes.default.svc.cluster.local'],
    sub: 'system:serviceaccount:default:builder',
  });
});

test('it is for whom and as long as was asked', () => {
  const answer = requestToken({ spec: { audiences: ['vault'], expirationSeconds: 600 } });
  expect(answer.status.expirationTimestamp).toBe('2026-01-01T12:10:00Z');
  expect(claimsOf(answer)).toMatchObject({ aud: ['vault'] });
});

describe('bound to', () => {
  const pod = (serviceAccountName: string): KubeObject =>
    make(Pods, { metadata: { name: 'web', uid: 'p1' }, spec: { serviceAccountName, nodeName: 'n1' } });
  const bound = (fields: object): object => ({ spec: { boundObjectRef: { apiVersion: 'v1', ...fields } } });

  test('a pod, it names pod and node', () =>
    expect(
      claimsOf(requestToken(bound({ kind: 'Pod', name: 'web' }), { 'pods/web': pod('builder') }))['kubernetes.io'],
    ).toMatchObject({ pod: { name: 'web', uid: 'p1' }, node: { name: 'n1' } }));
  test("another account's pod, it is refused", () =>
    expect(() => requestToken(bound({ kind: 'Pod', name: 'web' }), { 'pods/web': pod('default') })).toThrow(
      'cannot bind token for serviceaccount "builder" to pod running with different serviceaccount name.',
    ));
  test.each<[object, string]>([
    [{ kind: 'Pod', name: 'gone' }, 'pods "gone" not found'],
    [{ kind: 'Pod' }, 'Name parameter required.'],
    [{ kind: 'ConfigMap', name: 'c' }, 'cannot bind token to object of type /v1, Kind=ConfigMap'],
    [
      { kind: 'Pod', name: 'web', uid: 'p2' },
      'Operation cannot be fulfilled on Pod "web": the UID in the bound object reference (p2) does not match the UID in record. The object might have been deleted and then recreated',
    ],
  ])('%j, it is refused', (fields, message) =>
    expect(() => requestToken(bound(fields), { 'pods/web': pod('builder') })).toThrow(message),
  );
});

test.each<[object, string]>([
  [
    { spec: { expirationSeconds: 599 } },
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  ],
  [
    { spec: { expirationSeconds: 2 ** 32 + 1 } },
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
  ],
  [
    { metadata: { name: 'other' } },
    'TokenRequest.authentication.k8s.io "builder" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  ],
  [
    { metadata: { namespace: 'other' } },
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    { metadata: { uid: 'u2' } },
    'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "builder": the UID in the token request (u2) does not match the UID of the service account (u1)',
  ],
])('a request of %j is refused', (body, message) => expect(() => requestToken(body)).toThrow(message));
