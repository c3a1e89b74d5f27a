import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { contextNames, kubeconfig } from './kubeconfig.js';

const access = {
  name: 'demo',
  server: 'https://localhost:8080/clusters/c1',
  user: 'kubernetes-admin',
  credential: { token: 'tc_x'.repeat(100) },
};
const parsed = (text: string): { clusters: { cluster: object }[]; users: object[] } =>
  parse(text) as { clusters: { cluster: object }[]; users: object[] };

test('one context, with the server and the token', () => {
  expect(parse(kubeconfig([access]))).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'demo', cluster: { server: access.server } }],
    users: [{ name: 'kubernetes-admin@demo', user: access.credential }],
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: 'kubernetes-admin@demo' } }],
    'current-context': 'demo',
  });
});

test('an authority is carried in base64, and a TLS server name as it is', () => {
  const { clusters } = parsed(kubeconfig([{ ...access, authority: 'PEM', tlsServerName: 'c1.clusters.local' }]));
  expect(clusters[0]!.cluster).toEqual({
    'certificate-authority-data': 'UEVN',
    server: access.server,
    'tls-server-name': 'c1.clusters.local',
  });
});

test('a certificate and its key are carried in base64', () => {
  const { users } = parsed(
    kubeconfig([{ ...access, user: 'jane', credential: { certificate: 'C', privateKey: 'K' } }]),
  );
  expect(users).toEqual([
    { name: 'jane@demo', user: { 'client-certificate-data': 'Qw==', 'client-key-data': 'Sw==' } },
  ]);
});

test('several clusters are a context each, the first one current', () => {
  const { credential } = access;
  expect(
    parse(kubeconfig([access, { ...access, name: 'b', server: 'https://b', user: 'jane', credential }])),
  ).toMatchObject({
    clusters: [{ name: 'demo' }, { name: 'b', cluster: { server: 'https://b' } }],
    contexts: [{ name: 'demo' }, { name: 'b', context: { cluster: 'b', user: 'jane@b' } }],
    users: [{ name: 'kubernetes-admin@demo' }, { name: 'jane@b', user: credential }],
    'current-context': 'demo',
  });
});

test('long values stay on one line, and equal ones are not written as anchors', () => {
  const text = kubeconfig([access, { ...access, name: 'other' }]);
  expect(text.split(`token: ${access.credential.token}\n`)).toHaveLength(3);
});

test.each([
  [[], []],
  [
    [
      { id: 'c1', name: 'a' },
      { id: 'c2', name: 'b' },
    ],
    ['a', 'b'],
  ],
  [
    [
      { id: 'c1', name: 'a' },
      { id: 'c2', name: 'b' },
      { id: 'c3', name: 'a' },
    ],
    ['a-c1', 'b', 'a-c3'],
  ],
])('the contexts of %j', (clusters, names) => expect(contextNames(clusters)).toEqual(names));
