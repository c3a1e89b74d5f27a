import { expect, test } from '@jest/globals';
import type { KubeObject, Start } from '@terrarium/engine';
import { NOW, readerOf } from '../../../engine/node/kubelet/testing.js';
import { fakeHello, helloOf, helloOfHost, isForName } from './certificates.js';
import { ingress } from './nginx/testing.js';

const fake = fakeHello({ seed: 'a', at: NOW } as Start);
const secret = (name: string, pem: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'shop' },
    data: { 'tls.crt': btoa(pem) },
  }) as never;
const read = readerOf(secret('cert', fake.chain.join('')), secret('bad', 'nonsense'));

test('the certificate that the controller makes for itself', () => {
  expect(fake).toMatchObject({
    subject: 'O = Acme Co, CN = Kubernetes Ingress Controller Fake Certificate',
    names: ['ingress.local'],
  });
  expect(helloOf(fake.chain[0]!)).toEqual(fake);
});

test.each([
  ['a name that is listed', [{ hosts: ['A.test'], secretName: 'cert' }], 'a.test', ['ingress.local']],
  ['a Secret that is not there', [{ hosts: ['a.test'], secretName: 'none' }], 'a.test', undefined],
  ['a Secret that has none', [{ hosts: ['a.test'], secretName: 'bad' }], 'a.test', undefined],
  ['a name of the certificate', [{ secretName: 'cert' }], 'ingress.local', ['ingress.local']],
  ['another name', [{ secretName: 'cert' }], 'a.test', 'no TLS'],
])('TLS for %s', (_case, tls, host, expected) => {
  const found = helloOfHost(read, ingress('one', [{ host }], {}, { tls }), host);
  expect(found ? found.hello?.names : 'no TLS').toEqual(expected);
});

test.each([
  ['a.test', 'a.test', true],
  ['*.test', 'a.test', true],
  ['*.test', 'b.a.test', false],
  ['*.test', 'test', false],
])('a certificate for %s is for %s: %s', (own, name, expected) => {
  expect(isForName({ ...fake, names: [own] }, name)).toBe(expected);
});

test.each(['', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])('%j is no certificate', (pem) =>
  expect(helloOf(pem)).toBeUndefined(),
);
