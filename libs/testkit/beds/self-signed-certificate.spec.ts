import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { selfSignedCertificate } from './self-signed-certificate.js';

const NOW = Date.UTC(2026, 0, 2, 12);

test.each([
  ['terrarium.example', 'DNS:terrarium.example, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'],
  ['10.1.2.3', 'DNS:localhost, IP Address:10.1.2.3, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'],
  ['localhost', 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'],
])('the certificate of %s signs itself and names its hosts', (host, names) => {
  const { certificate, privateKey } = selfSignedCertificate(host, NOW);
  const x509 = new X509Certificate(certificate);
  expect(x509.subjectAltName).toBe(names);
  expect(x509).toMatchObject({
    subject: 'CN=terrarium',
    issuer: 'CN=terrarium',
    ca: true,
    keyUsage: ['1.3.6.1.5.5.7.3.1'],
    validFrom: 'Jan  1 12:00:00 2026 GMT',
    validTo: 'Dec 31 12:00:00 2035 GMT',
  });
  expect(x509.verify(x509.publicKey)).toBe(true);
  expect(x509.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
});
