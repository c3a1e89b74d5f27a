import { expect, test } from '@jest/globals';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { sequence } from '../../machinery/crypto/x509/der.js';
import { ECDSA_WITH_SHA256 } from '../../machinery/crypto/x509/signature.js';
import { SigningKey } from '../../machinery/crypto/signing-key.js';
import { proveClient, provenCertificate } from './client-proof.js';
import type { ClientHello, ClientProof } from './tls.js';

const NOW = Date.UTC(2026, 0, 1);
const own = new SigningKey(new Uint8Array(32).fill(7));
const other = new SigningKey(new Uint8Array(32).fill(8));
const certificate = new ClusterKeys('proof').authority.issue({
  subject: sequence(),
  serial: Uint8Array.of(7),
  notBefore: NOW,
  notAfter: NOW + 1_000_000,
  publicKey: own.publicKey,
  extensions: [],
});

const hello = (proof: ClientProof): ClientHello => ({ proof }) as ClientHello;
const prove = (key: SigningKey, at: number, publicKey?: Uint8Array): ClientProof =>
  proveClient(certificate, at, ECDSA_WITH_SHA256, (message) => key.sign(message, 'der'), publicKey);

test.each([
  ['made here', NOW, own.publicKey],
  ['made elsewhere', NOW + 1, undefined],
])('a proof %s holds for its minute, the second time as the first', (_, at, publicKey) => {
  const proof = prove(own, at, publicKey);
  for (const later of [0, 0, 59_000])
    expect(provenCertificate(hello(structuredClone(proof)), at + later)).toEqual(certificate);
  expect(provenCertificate(hello(proof), at + 61_000)).toBeUndefined();
});

test('what was changed is no proof', () => {
  const proof = prove(own, NOW, own.publicKey);
  expect(provenCertificate(hello({ ...proof, signedAt: NOW + 5 }), NOW)).toBeUndefined();
  expect(provenCertificate(hello({ ...proof, signature: prove(own, NOW + 9).signature }), NOW)).toBeUndefined();
});

test('who signs with another key has proven nothing', () => {
  for (const publicKey of [undefined, other.publicKey])
    expect(provenCertificate(hello(prove(other, NOW, publicKey)), NOW)).toBeUndefined();
});

test('what is no certificate, and no proof, proves nothing', () => {
  expect(provenCertificate(hello({ ...prove(own, NOW), certificate: 'AAAA' }), NOW)).toBeUndefined();
  expect(provenCertificate(hello({} as ClientProof), NOW)).toBeUndefined();
});
