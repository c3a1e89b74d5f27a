import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { DAY } from '../../time/time.js';
import { authorityKey, ClusterKeys } from '../cluster-keys.js';
import { SigningKey } from '../signing-key.js';
import { Authority } from './authority.js';
import { parseCertificate } from './certificate.js';
import { DerError } from './der.js';
import { writeName } from './name.js';
import { parseRequest } from './request.js';
import { REQUESTS } from './testing.js';

const NOW = Date.UTC(2026, 0, 2);
const { authority } = new ClusterKeys('a secret');
const ca = new X509Certificate(authority.pem);

function issue(): Uint8Array {
  const { subject, publicKey } = parseRequest(REQUESTS.rsa);
  return authority.issue({
    subject: writeName(subject),
    serial: Uint8Array.of(7),
    notBefore: NOW,
    notAfter: NOW + DAY,
    publicKey,
    extensions: [],
  });
}

test('signs its own certificate', () =>
  expect([ca.subject, ca.ca, ca.subjectAltName, ca.verify(ca.publicKey)]).toEqual([
    'CN=kubernetes',
    true,
    'DNS:kubernetes',
    true,
  ]));

test('may have another name', () => {
  const named = new X509Certificate(new Authority(new SigningKey(authorityKey('a secret')), 'terrarium').pem);
  expect([named.subject, named.issuer, named.subjectAltName]).toEqual([
    'CN=terrarium',
    'CN=terrarium',
    'DNS:terrarium',
  ]);
});

test('issues what OpenSSL recognizes as its own', () => {
  const certificate = new X509Certificate(issue());
  expect([certificate.subject, certificate.checkIssued(ca), certificate.verify(ca.publicKey)]).toEqual([
    'O=dev + O=ops\nCN=jane',
    true,
    true,
  ]);
});

test('verifies what it has issued, also a second time', () => {
  expect(authority.verify(issue(), 'a')).toEqual(parseCertificate(issue()));
  expect(authority.verify(issue(), 'a')).toEqual(parseCertificate(issue()));
});

test('refuses what another authority of its name has signed', () =>
  expect(new ClusterKeys('another').authority.verify(issue(), 'a')).toBe('x509: ECDSA verification failure'));

test('refuses bytes that are no certificate', () =>
  expect(() => authority.verify(Uint8Array.of(1), 'b')).toThrow(DerError));
