import { X509Certificate, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ClusterKeys } from '../cluster-keys.js';
import { DAY } from '../../time/time.js';
import { parseCertificate, keyUsage } from './certificate.js';
import { DerError, integer, oid, readDer, readOid, readTime, time } from './der.js';
import { writeName } from './name.js';
import { decodePem, encodePem } from './pem.js';
import { parseRequest, requestFault } from './request.js';
import { REQUESTS } from './testing.js';

const NOW = Date.UTC(2026, 0, 2);

describe('DER', () => {
  test.each(['1.2.840.113549.1.9.14', '2.5.29.37.0', '2.16.840.1.101.3.4.2.1'])('keeps %s', (id) =>
    expect(readOid(readDer(oid(id)))).toBe(id),
  );
  test.each([Date.UTC(2026, 0, 2, 3, 4, 5), Date.UTC(2049, 11, 31), Date.UTC(2120, 0, 1)])('keeps the time %i', (at) =>
    expect(readTime(readDer(time(at)))).toBe(at),
  );
  test('writes numbers that are not negative', () =>
    expect([...integer(Uint8Array.of(0, 0x80))]).toEqual([2, 2, 0, 0x80]));
  test('counts the bits of key usages', () =>
    expect([...keyUsage(new Set([0, 2])).slice(-4)]).toEqual([3, 2, 5, 0xa0]));
  test.each([
    ['nothing', []],
    ['half a length', [0x30, 0x82, 1]],
    ['half a body', [0x30, 5, 1]],
    ['no length', [0x30, 0x80, 0, 0]],
    ['too long a length', [0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1]],
  ])('%s is refused', (_, bytes) => expect(() => readDer(Uint8Array.from(bytes))).toThrow(DerError));
});

describe('a certification request', () => {
  test.each(Object.entries(REQUESTS))('%s is signed by its key, and by no other', (_, pem) => {
    const request = parseRequest(pem);
    expect(requestFault(request)).toBeUndefined();
    expect(requestFault({ ...request, signed: request.signed.slice(1) })).toMatch(/verification (failure|error)/);
  });

  test('says who asks for what', () => {
    expect(parseRequest(REQUESTS.rsa).subject).toMatchObject({ commonName: 'jane', organizations: ['dev', 'ops'] });
    expect(parseRequest(REQUESTS.serving).names).toMatchObject({
      dns: ['worker-9'],
      addresses: [Uint8Array.of(172, 18, 0, 12)],
      emails: [],
      uris: [],
    });
  });

  test('that is broken anywhere is refused, never worse', () => {
    const [block] = decodePem(REQUESTS.serving);
    for (let i = 0; i < block!.bytes.length; i++) {
      const bytes = block!.bytes.slice();
      bytes[i]! ^= 0x41;
      let fault: unknown;
      try {
        fault = requestFault(parseRequest(encodePem('CERTIFICATE REQUEST', bytes)));
      } catch (error) {
        fault = error;
      }
      expect([i, typeof fault === 'string' || fault instanceof DerError]).toEqual([i, true]);
    }
  });
});

describe("a cluster's authority", () => {
  const { authority, tokens } = new ClusterKeys('a secret');
  const ca = new X509Certificate(authority.pem);
  const issued = (): Uint8Array => {
    const { subject, publicKey } = parseRequest(REQUESTS.rsa);
    return authority.issue({
      subject: writeName(subject),
      serial: Uint8Array.of(7),
      notBefore: NOW,
      notAfter: NOW + DAY,
      publicKey,
      extensions: [],
    });
  };

  test('signs its own certificate', () => {
    expect([ca.subject, ca.ca, ca.verify(ca.publicKey)]).toEqual(['CN=kubernetes', true, true]);
  });

  test('issues what others recognize as its own', () => {
    const certificate = new X509Certificate(issued());
    expect([certificate.subject, certificate.checkIssued(ca), certificate.verify(ca.publicKey)]).toEqual([
      'O=dev + O=ops\nCN=jane',
      true,
      true,
    ]);
    expect(authority.recognized(issued(), 'a')).toEqual(parseCertificate(issued()));
  });

  test('is the same wherever its secret is known, and nowhere else', () => {
    expect(new ClusterKeys('a secret').authority.pem).toBe(authority.pem);
    const other = new ClusterKeys('another').authority;
    expect(other.recognized(issued(), 'a')).toBe('x509: ECDSA verification failure');
  });

  test('signs tokens that others can check with its published key', () => {
    const [header, claims, signature] = tokens.sign({ sub: 'a' }).split('.');
    const key = createPublicKey({ key: { ...tokens.jwk }, format: 'jwk' });
    expect(
      verify(
        'sha256',
        Buffer.from(`${header}.${claims}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature!, 'base64url'),
      ),
    ).toBe(true);
  });
});
