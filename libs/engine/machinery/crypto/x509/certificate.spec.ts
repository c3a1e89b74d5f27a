import { X509Certificate, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { DAY } from '../../time/time.js';
import { makeCertificate, parseCertificate } from './certificate.js';
import { DerError, oid, sequence } from './der.js';
import { EXTENSION, writeExtension } from './extensions.js';
import { commonName } from './name.js';

const NOW = Date.UTC(2026, 0, 2);
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const bytes = makeCertificate(
  {
    subject: commonName('jane'),
    issuer: commonName('root'),
    serial: Uint8Array.of(0x80, 1),
    notBefore: NOW,
    notAfter: NOW + DAY,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    extensions: [writeExtension(EXTENSION.extendedKeyUsage, false, sequence(oid(CLIENT_AUTHENTICATION)))],
  },
  (body) => sign('sha256', body, createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))),
);

test('is one for OpenSSL too', () => {
  const certificate = new X509Certificate(bytes);
  expect(certificate).toMatchObject({
    subject: 'CN=jane',
    issuer: 'CN=root',
    serialNumber: '8001',
    validFrom: 'Jan  2 00:00:00 2026 GMT',
    validTo: 'Jan  3 00:00:00 2026 GMT',
  });
  expect([certificate.keyUsage, certificate.verify(publicKey)]).toEqual([[CLIENT_AUTHENTICATION], true]);
});

test('is read back', () =>
  expect(parseCertificate(bytes)).toMatchObject({
    subject: { commonName: 'jane', organizations: [] },
    issuer: commonName('root'),
    notBefore: NOW,
    notAfter: NOW + DAY,
    extendedKeyUsages: [CLIENT_AUTHENTICATION],
  }));

test.each([
  ['bytes after it', Uint8Array.from([...bytes, 0]), 'x509: trailing data'],
  ['half of it', bytes.subarray(0, 100), 'asn1: syntax error: data truncated'],
  ['an empty sequence', Uint8Array.of(0x30, 0), 'asn1: syntax error: sequence truncated'],
])('%s is refused', (_, broken, message) => expect(() => parseCertificate(broken)).toThrow(new DerError(message)));
