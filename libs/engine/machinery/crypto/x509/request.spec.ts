import { expect, test } from '@jest/globals';
import { DerError } from './der.js';
import { decodePem, encodePem } from './pem.js';
import { parseRequest, requestFault } from './request.js';
import { REQUESTS } from './testing.js';

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

test.each([
  ['no PEM', 'x', 'PEM block type must be CERTIFICATE REQUEST'],
  ['a certificate', encodePem('CERTIFICATE', Uint8Array.of(0x30, 0)), 'PEM block type must be CERTIFICATE REQUEST'],
  [
    'bytes after the request',
    encodePem('CERTIFICATE REQUEST', Uint8Array.of(0x30, 0, 0)),
    'asn1: syntax error: trailing data',
  ],
])('%s is refused', (_, pem, message) => expect(() => parseRequest(pem)).toThrow(new DerError(message)));

test('a request that is broken anywhere is refused', () => {
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
