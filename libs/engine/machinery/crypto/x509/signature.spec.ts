import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { DerError, sequence } from './der.js';
import { signatureFault } from './signature.js';

const MESSAGE = Buffer.from('a message');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const ec = (namedCurve: string): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve });
const p256 = ec('prime256v1');
const spki = (key: KeyObject): Uint8Array => key.export({ type: 'spki', format: 'der' });

const [RSA_SHA256, ECDSA_SHA256, ED25519] = ['1.2.840.113549.1.1.11', '1.2.840.10045.4.3.2', '1.3.101.112'];

test.each([
  ['RSA with SHA-1', '1.2.840.113549.1.1.5', 'sha1', rsa],
  ['RSA with SHA-256', RSA_SHA256, 'sha256', rsa],
  ['RSA with SHA-384', '1.2.840.113549.1.1.12', 'sha384', rsa],
  ['RSA with SHA-512', '1.2.840.113549.1.1.13', 'sha512', rsa],
  ['P-256 with SHA-256', ECDSA_SHA256, 'sha256', p256],
  ['P-384 with SHA-384', '1.2.840.10045.4.3.3', 'sha384', ec('secp384r1')],
  ['P-521 with SHA-512', '1.2.840.10045.4.3.4', 'sha512', ec('secp521r1')],
  ['Ed25519', ED25519, null, ed25519],
])('%s', (_, algorithm, hash, { publicKey, privateKey }) => {
  const signature = sign(hash, MESSAGE, privateKey);
  expect(signatureFault(algorithm, spki(publicKey), MESSAGE, signature)).toBeUndefined();
  expect(signatureFault(algorithm, spki(publicKey), Buffer.from('another'), signature)).toMatch(
    /^(crypto\/rsa: verification error|x509: (ECDSA|Ed25519) verification failure)$/,
  );
});

test.each([
  ['an unknown algorithm', '1.2.3', spki(rsa.publicKey), 'x509: cannot verify signature: algorithm unimplemented'],
  [
    "another key's algorithm",
    RSA_SHA256,
    spki(p256.publicKey),
    'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
  ],
  ['no signature', ECDSA_SHA256, spki(p256.publicKey), 'x509: ECDSA verification failure'],
  ['a curve without constants here', ECDSA_SHA256, spki(ec('secp256k1').publicKey), 'x509: unsupported elliptic curve'],
])('%s: %s', (_, algorithm, key, fault) =>
  expect(signatureFault(algorithm, key, MESSAGE, Uint8Array.of(1))).toBe(fault),
);

test('a malformed key is refused', () =>
  expect(() => signatureFault(RSA_SHA256, sequence(), MESSAGE, Uint8Array.of(1))).toThrow(DerError));
