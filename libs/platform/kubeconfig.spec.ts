import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { kubeconfig } from './kubeconfig.js';

const access = { name: 'demo', server: 'https://localhost:8080/clusters/c1', token: 'tc_x'.repeat(100) };

test('one context, with the server and the token', () => {
  expect(parse(kubeconfig(access))).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'demo', cluster: { server: access.server } }],
    users: [{ name: 'kubernetes-admin@demo', user: { token: access.token } }],
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: 'kubernetes-admin@demo' } }],
    'current-context': 'demo',
  });
});

test('an authority is carried in base64', () => {
  const { clusters } = parse(kubeconfig({ ...access, authority: 'PEM' })) as {
    clusters: { cluster: Record<string, string> }[];
  };
  expect(clusters[0]!.cluster['certificate-authority-data']).toBe('UEVN');
});

test('long values stay on one line', () => {
  expect(kubeconfig(access)).toContain(`token: ${access.token}\n`);
});
