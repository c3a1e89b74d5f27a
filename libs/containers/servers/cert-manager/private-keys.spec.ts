import { checkPrimeSync, createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readPrivateKey } from '../../tools/openssl/keys.js';
import { keyViolations, makePrivateKey } from './private-keys.js';
import { countOfPrimes, primeOf } from './primes.js';

test.each([1024, 1536, 2048])('what is held for a prime of %i bits is one', (bits) => {
  for (let i = 0; i < countOfPrimes(bits); i += 5) expect(checkPrimeSync(primeOf(bits, i), { checks: 1 })).toBe(true);
});

test.each([
  [undefined, 'RSA PRIVATE KEY', 'rsa'],
  [{ algorithm: 'RSA', size: 4096, encoding: 'PKCS8' }, 'PRIVATE KEY', 'rsa'],
  [{ algorithm: 'ECDSA' }, 'EC PRIVATE KEY', 'ec'],
  [{ algorithm: 'ECDSA', encoding: 'PKCS8' }, 'PRIVATE KEY', 'ec'],
])('a key of %j', (spec, type, kind) => {
  const pem = makePrivateKey(spec, 'seed')!;
  expect(pem.split('\n', 1)[0]).toBe(`-----BEGIN ${type}-----`);
  expect(createPrivateKey(pem).asymmetricKeyType).toBe(kind);
  expect(keyViolations(readPrivateKey(pem)!, spec)).toEqual([]);
});

test('kinds and sizes that are not simulated, and those that a Certificate does not ask for', () => {
  expect([makePrivateKey({ algorithm: 'Ed25519' }, 's'), makePrivateKey({ size: 8192 }, 's')]).toEqual([
    undefined,
    undefined,
  ]);
  const key = readPrivateKey(makePrivateKey({ algorithm: 'ECDSA' }, 'seed')!)!;
  expect(keyViolations(key, undefined)).toEqual(['spec.privateKey.algorithm']);
  expect(keyViolations(key, { algorithm: 'ECDSA', size: 384 })).toEqual(['spec.privateKey.size']);
});
