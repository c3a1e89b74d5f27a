import { expect, test } from '@jest/globals';
import { custom, meshLook, workloadIn } from '../testing.js';
import type { AuthorizationPolicy } from '../resources.js';
import { policiesOf, refusalOf, type Asked } from './authorization.js';
import { mtlsModeOf } from './peer-authentication.js';

const ASKED: Asked = {
  ...{ method: 'GET', path: '/info', host: 'web', headers: { 'x-token': 'admin' }, port: 8_080 },
  ...{ sourceIp: '10.244.3.3', remoteIp: '10.244.3.3', peer: 'spiffe://cluster.local/ns/shop/sa/client' },
};
const NONE = 'rbac_access_denied_matched_policy[none]';
const policy = (spec: object): AuthorizationPolicy =>
  custom('security', 'AuthorizationPolicy', 'p', spec) as AuthorizationPolicy;
const from = (source: object): object => ({ rules: [{ from: [{ source }] }] });
const to = (operation: object): object => ({ rules: [{ to: [{ operation }] }] });

test.each<[string, object[], string | undefined]>([
  ['no policy', [], undefined],
  ['one that allows nothing', [{}], NONE],
  ['one that allows all', [{ rules: [{}] }], undefined],
  [
    'one that denies all',
    [{ action: 'DENY', rules: [{}] }],
    'rbac_access_denied_matched_policy[ns[shop]-policy[p]-rule[0]]',
  ],
  ['a principal', [from({ principals: ['cluster.local/ns/shop/sa/client'] })], undefined],
  ['any principal', [from({ principals: ['*'] })], undefined],
  ['another principal', [from({ principals: ['*/sa/other'] })], NONE],
  ['a namespace', [from({ namespaces: ['shop'] })], undefined],
  ['not a namespace', [from({ notNamespaces: ['shop'] })], NONE],
  ['a range', [from({ ipBlocks: ['10.244.0.0/16'] })], undefined],
  ['an address', [from({ ipBlocks: ['10.244.3.4'] })], NONE],
  ['a method and a path', [to({ methods: ['GET'], paths: ['/info*'] })], undefined],
  ['another path', [to({ methods: ['GET'], paths: ['/admin'] })], NONE],
  ['a port', [to({ ports: ['8080'] })], undefined],
  ['a header', [{ rules: [{ when: [{ key: 'request.headers[X-Token]', values: ['admin'] }] }] }], undefined],
  ['not a header', [{ rules: [{ when: [{ key: 'request.headers[x-token]', notValues: ['admin'] }] }] }], NONE],
  ['a token, of which nothing is known', [from({ requestPrincipals: ['*'] })], NONE],
  ['what is decided elsewhere', [{ action: 'CUSTOM', rules: [{}] }], undefined],
])('%s', (_case, specs, expected) => {
  expect(refusalOf(specs.map(policy), ASKED)).toBe(expected);
});

test('policies of the namespace and of the mesh, for the pods that they select', () => {
  const look = meshLook(
    policy({ selector: { matchLabels: { app: 'client' } } }),
    custom('security', 'AuthorizationPolicy', 'other', { selector: { matchLabels: { app: 'web' } } }),
    custom('security', 'AuthorizationPolicy', 'all', {}, 'istio-system'),
  );
  const workload = workloadIn(look);
  expect(policiesOf(look.read, workload, workload.mesh).map(({ metadata }) => metadata.name)).toEqual(['all', 'p']);
});

test.each<[string, [string, object, string?][], string]>([
  ['nothing', [], 'PERMISSIVE'],
  ['the mesh', [['m', { mtls: { mode: 'STRICT' } }, 'istio-system']], 'STRICT'],
  [
    'the namespace before the mesh',
    [
      ['m', { mtls: { mode: 'STRICT' } }, 'istio-system'],
      ['n', { mtls: { mode: 'DISABLE' } }],
    ],
    'DISABLE',
  ],
  [
    'a port of the pod before all',
    [
      ['n', { mtls: { mode: 'STRICT' } }],
      ['w', { selector: { matchLabels: { app: 'client' } }, portLevelMtls: { '8080': { mode: 'PERMISSIVE' } } }],
    ],
    'PERMISSIVE',
  ],
])('mTLS by %s', (_case, all, expected) => {
  const look = meshLook(
    ...all.map(([name, spec, namespace]) => custom('security', 'PeerAuthentication', name, spec, namespace)),
  );
  const workload = workloadIn(look);
  expect(mtlsModeOf(look.read, workload, 8_080, workload.mesh)).toBe(expected);
});
