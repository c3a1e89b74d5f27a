import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { selfSignedCertificate } from '../../../libs/testkit/beds/self-signed-certificate.js';
import { clientCertificateOf } from './client-certificate.js';

const { certificate } = selfSignedCertificate('localhost', Date.UTC(2026, 0, 1));
const HEADER = 'x-client-cert';
const request = (value?: string): IncomingMessage =>
  ({ socket: new Socket(), headers: value === undefined ? {} : { [HEADER]: value } }) as unknown as IncomingMessage;

test('a header is believed only when the operator says so', () => {
  const passedOn = request(encodeURIComponent(certificate));
  expect(clientCertificateOf(passedOn, HEADER)?.subject).toBe('CN=terrarium');
  expect(clientCertificateOf(passedOn)).toBeUndefined();
});

test.each([undefined, '', 'nonsense', '%', encodeURIComponent(certificate).slice(0, 300), 'x'.repeat(20_000)])(
  '%j is no certificate',
  (value) => expect(clientCertificateOf(request(value), HEADER)).toBeUndefined(),
);
