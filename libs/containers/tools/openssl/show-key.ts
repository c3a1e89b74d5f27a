import { expect, fields, readDer, TAG } from '../../../engine/machinery/crypto/x509/der.js';
import { decodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import type { PrivateKey } from './keys.js';
import { numberOf } from './rsa.js';
import { rows, showPublicKey } from './show.js';

const INDENT = '    ';
/** The numbers of an RSA key behind its public exponent, as PKCS #1 orders them. */
const RSA_PARTS = ['privateExponent', 'prime1', 'prime2', 'exponent1', 'exponent2', 'coefficient'];

/** What -text_pub prints of a SubjectPublicKeyInfo: as in a certificate, without its heading and indent. */
export const publicKeyText = (publicKey: Uint8Array): string =>
  showPublicKey(readDer(publicKey))
    .split('\n')
    .slice(2)
    .map((line) => line.slice(16))
    .join('\n');

/** What -text prints. Models providers/implementations/encode_decode/encode_key2text.c. */
export function privateKeyText(key: PrivateKey): string {
  const [, , octets] = fields(readDer(decodePem(key.pem)[0]!.bytes));
  const inner = readDer(expect(octets, TAG.octets));
  const publicText = publicKeyText(key.publicKey);
  if (key.kind === 'RSA') {
    const [modulus, , ...rest] = fields(inner)
      .slice(1)
      .map((part) => expect(part, TAG.integer));
    const { e } = key.rsa!;
    return [
      `Private-Key: (${numberOf(modulus!).toString(2).length} bit, 2 primes)\n`,
      `modulus:\n${rows(modulus!, 15, INDENT)}publicExponent: ${e} (0x${e.toString(16)})\n`,
      ...RSA_PARTS.map((name, at) => `${name}:\n${rows(rest[at]!, 15, INDENT)}`),
    ].join('');
  }
  const secret = key.kind === 'EC' ? expect(fields(inner)[1], TAG.octets) : expect(inner, TAG.octets);
  const [, ...lines] = publicText.split('\n');
  const title = key.kind === 'EC' ? 'Private-Key: (256 bit)' : 'ED25519 Private-Key:';
  return `${title}\npriv:\n${rows(secret, 15, INDENT)}${lines.join('\n')}`;
}
