import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureCertificate, selfSignedCertificate } from './certificate.js';
import { platformDatabase } from './testing.js';

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

describe('ensureCertificate', () => {
  let platform: Awaited<ReturnType<typeof platformDatabase>>;
  beforeAll(async () => void (platform = await platformDatabase()), 60_000);
  afterAll(() => platform.close());

  test('processes that begin at once share one certificate a host', async () => {
    const made = await Promise.all([1, 2, 3].map(() => ensureCertificate(platform.database, 'a.example')));
    expect(new Set(made.map((c) => c.certificate)).size).toBe(1);
    expect(await ensureCertificate(platform.database, 'a.example')).toEqual(made[0]);
    expect(new X509Certificate(made[0]!.certificate).checkHost('a.example')).toBe('a.example');
  });

  test('each host has its own', async () => {
    const other = await ensureCertificate(platform.database, 'b.example');
    expect(new X509Certificate(other.certificate).checkHost('a.example')).toBeUndefined();
  });
});
