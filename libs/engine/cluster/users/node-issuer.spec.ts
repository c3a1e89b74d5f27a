import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deriveKey } from '../../machinery/crypto/signing-key.js';
import { proveClient, provenCertificate } from '../../node/cni/client-proof.js';
import { SigningKey } from '../../machinery/crypto/signing-key.js';
import { decodePem } from '../../machinery/crypto/x509/pem.js';
import { leavesOf } from '../../node/host/pki/leaves.js';
import { CP } from '../../node/host/testing.js';
import { nodeIssuer } from './node-issuer.js';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const ECDSA = '1.2.840.10045.4.3.2';
const issuer = nodeIssuer('secret');

test.each(leavesOf(CP).map((leaf) => [leaf.name, leaf] as const))(
  'OpenSSL takes %s for its authority’s, and its key for its own',
  (name, { authority, holder }) => {
    const made = issuer.issue(authority, holder, name, FROM, FROM + DAY);
    const certificate = new X509Certificate(made.certificate);
    expect(certificate.verify(new X509Certificate(issuer.authority(authority).certificate).publicKey)).toBe(true);
    expect(certificate.subject.split('\n').at(-1)).toBe(`CN=${holder.commonName}`);
    expect(issuer.issue(authority, holder, name, FROM, FROM + DAY)).toBe(made);
    expect(nodeIssuer('secret').issue(authority, holder, name, FROM, FROM + DAY)).toEqual(made);
  },
);

test('the API server’s certificate is for its names', () => {
  const { authority, holder } = leavesOf(CP).find(({ name }) => name === 'apiserver')!;
  const { certificate } = issuer.issue(authority, holder, 'a', FROM, FROM + DAY);
  expect(new X509Certificate(certificate).subjectAltName).toContain('DNS:kubernetes.default.svc, ');
});

test('only who signs with its key is taken for the holder of a certificate', () => {
  const holder = { commonName: 'jane', usages: ['client auth'] } as const;
  const bytes = decodePem(issuer.issue('kubernetes', holder, 'jane', FROM, FROM + DAY).certificate)[0]!.bytes;
  const key = new SigningKey(deriveKey('secret', 'node certificate jane'));
  const other = new SigningKey(deriveKey('secret', 'node certificate joe'));
  const prove = (by: SigningKey): ReturnType<typeof proveClient> =>
    proveClient(bytes, FROM, ECDSA, (message) => by.sign(message, 'der'));
  expect(provenCertificate({ serverName: '', proof: prove(key) }, FROM + 1)).toEqual(bytes);
  expect(provenCertificate({ serverName: '', proof: prove(other) }, FROM + 1)).toBeUndefined();
  expect(provenCertificate({ serverName: '', proof: prove(key) }, FROM + DAY)).toBeUndefined();
  expect(provenCertificate({ serverName: '' }, FROM)).toBeUndefined();
  expect(provenCertificate({ serverName: '', proof: { ...prove(key), certificate: 'AAAA' } }, FROM)).toBeUndefined();
});
