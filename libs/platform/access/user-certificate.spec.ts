import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ClusterKeys } from '@terrarium/engine';
import { issueUserCertificate } from './user-certificate.js';

const NOW = Date.UTC(2026, 0, 2);
const validity = { notBefore: NOW, notAfter: NOW + 60 * 60_000 };

test.each([
  [['dev', 'ops'], 'O=dev + O=ops\nCN=jane'],
  [['dev'], 'O=dev\nCN=jane'],
  [[], 'CN=jane'],
])("jane's, in the groups %j, is issued by the cluster's authority for clients only", (groups, subject) => {
  const { certificate, privateKey } = issueUserCertificate('a secret', { user: 'jane', groups }, validity);
  const issued = new X509Certificate(certificate);
  const authority = new X509Certificate(new ClusterKeys('a secret').authority.pem);
  expect(issued).toMatchObject({
    subject,
    ca: false,
    keyUsage: ['1.3.6.1.5.5.7.3.2'],
    validFrom: 'Jan  2 00:00:00 2026 GMT',
    validTo: 'Jan  2 01:00:00 2026 GMT',
  });
  expect([issued.checkIssued(authority), issued.verify(authority.publicKey)]).toEqual([true, true]);
  expect(issued.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
  expect(issued.verify(new X509Certificate(new ClusterKeys('another').authority.pem).publicKey)).toBe(false);
});

test('each has a key and a serial number of its own', () => {
  const [a, b] = [1, 2].map(() => issueUserCertificate('a secret', { user: 'jane', groups: [] }, validity));
  expect(a!.privateKey).not.toBe(b!.privateKey);
  expect(new X509Certificate(a!.certificate).serialNumber).not.toBe(new X509Certificate(b!.certificate).serialNumber);
});
