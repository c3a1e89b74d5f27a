import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { authorityKey, SigningKey, x509 } from '@terrarium/engine';
import { issueServerCertificate, renewBeforeEnd, serverNames } from './server-certificate.js';

const NOW = Date.UTC(2026, 0, 2, 12);
const DAY = 24 * 60 * 60_000;
const authority = new x509.Authority(new SigningKey(authorityKey('a secret')), 'terrarium');

test.each([
  [
    { publicUrl: 'http://localhost:8080' },
    ['localhost', '127.0.0.1', '::1', '*.clusters.local', '*.clusters.localhost'],
  ],
  [
    { publicUrl: 'http://terrarium.example', baseDomain: 'base.example' },
    [
      'terrarium.example',
      'localhost',
      '127.0.0.1',
      '::1',
      '*.base.example',
      '*.clusters.local',
      '*.clusters.localhost',
    ],
  ],
  [
    { publicUrl: 'http://[2001:db8::1]:80' },
    ['2001:db8::1', 'localhost', '127.0.0.1', '::1', '*.clusters.local', '*.clusters.localhost'],
  ],
])('the names of %j', (settings, names) => expect(serverNames(settings)).toEqual(names));

test('the certificate is a leaf of the authority for its names', () => {
  const { certificate, privateKey, notAfter } = issueServerCertificate(
    authority,
    ['terrarium.example', '127.0.0.1', '::1', '*.base.example'],
    NOW,
  );
  const leaf = new X509Certificate(certificate);
  const issuer = new X509Certificate(authority.pem);
  expect(leaf).toMatchObject({
    subject: 'CN=terrarium-server',
    issuer: 'CN=terrarium',
    ca: false,
    keyUsage: ['1.3.6.1.5.5.7.3.1'],
    subjectAltName: 'DNS:terrarium.example, DNS:*.base.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    validFrom: 'Jan  1 12:00:00 2026 GMT',
    validTo: 'Apr  2 12:00:00 2026 GMT',
  });
  expect(notAfter).toBe(Date.UTC(2026, 3, 2, 12));
  expect([leaf.checkIssued(issuer), leaf.verify(issuer.publicKey), leaf.verify(leaf.publicKey)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(leaf.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
  expect([leaf.checkHost('c1.base.example'), leaf.checkHost('a.c1.base.example')]).toEqual([
    '*.base.example',
    undefined,
  ]);
});

describe('renewBeforeEnd', () => {
  beforeEach(() => void jest.useFakeTimers({ now: NOW }));
  afterEach(() => void jest.useRealTimers());
  const issue = (now: number): ReturnType<typeof issueServerCertificate> =>
    issueServerCertificate(authority, ['localhost'], now);

  test('shows the next certificate a month before the last one ends, and again', () => {
    const shown: number[] = [];
    const stop = renewBeforeEnd(issue(NOW), issue, ({ notAfter }) => shown.push((notAfter - NOW) / DAY));
    jest.advanceTimersByTime(60 * DAY - 1);
    expect(shown).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(shown).toEqual([150]);
    jest.advanceTimersByTime(60 * DAY);
    expect(shown).toEqual([150, 210]);
    stop();
    jest.advanceTimersByTime(100 * DAY);
    expect(shown).toHaveLength(2);
  });
});
