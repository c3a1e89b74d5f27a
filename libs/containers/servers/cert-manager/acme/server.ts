import { deriveKey } from '../../../../engine/machinery/crypto/signing-key.js';
import { sha256 } from '../../../../engine/machinery/crypto/sha256.js';
import { fields, octets, readDer, sequence, TRUE } from '../../../../engine/machinery/crypto/x509/der.js';
import { makeCertificate } from '../../../../engine/machinery/crypto/x509/certificate.js';
import { EXTENSION, writeExtension, writeKeyUsage } from '../../../../engine/machinery/crypto/x509/extensions.js';
import { commonName } from '../../../../engine/machinery/crypto/x509/name.js';
import { encodePem } from '../../../../engine/machinery/crypto/x509/pem.js';
import { ecPrivateKey } from '../../../tools/openssl/keys.js';
import { hex } from '../../../tools/openssl/show.js';
import type { Signer } from '../x509.js';

/** An authority of the Internet that is simulated: it knows every account, and asks for no more than a challenge. */
interface Directory {
  readonly root: string;
  readonly issuer: string;
}

const DIRECTORIES: Readonly<Record<string, Directory>> = {
  'acme-v02.api.letsencrypt.org': { root: 'ISRG Root X2', issuer: 'E7' },
  'acme-staging-v02.api.letsencrypt.org': {
    ...{ root: '(STAGING) Bogus Broccoli X2', issuer: '(STAGING) Puzzling Parsnip E7' },
  },
};
const SINCE = Date.UTC(2024, 2, 13);
const UNTIL = Date.UTC(2027, 2, 12, 23, 59, 59);
const CA_USAGES = new Set([0, 5, 6]);
const KEY_ID_BYTES = 20;
const TOKEN_BYTES = 32;

/** The host of a server's address; undefined: it is no address of HTTPS. */
export function hostOfServer(server: string): string | undefined {
  const [, host] = /^https?:\/\/([^/:?#\s]{1,253})/.exec(server) ?? [];
  return host?.toLowerCase();
}

export const isSimulated = (server: string): boolean => {
  const host = hostOfServer(server);
  return host !== undefined && Object.hasOwn(DIRECTORIES, host);
};

/** Whole numbers as the authority's addresses have them. */
export const numberFor = (text: string): number =>
  sha256(text)
    .subarray(0, 5)
    .reduce((total, byte) => total * 256 + byte, 0);

export const addressOf = (server: string, ...parts: readonly (string | number)[]): string =>
  `https://${hostOfServer(server)}/acme/${parts.join('/')}`;

/** A token, or the thumbprint of a key: 32 bytes in base64url. */
export function tokenOf(text: string): string {
  const bytes = sha256(text).subarray(0, TOKEN_BYTES);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Why the authority does not certify a name, as its problem documents say it. */
export function refusalOf(name: string): string | undefined {
  const plain = name.startsWith('*.') ? name.slice(2) : name;
  const fault = !plain.includes('.')
    ? 'Domain name needs at least one dot'
    : /^[\d.]+$|:/.test(plain)
      ? 'The ACME server can not issue a certificate for an IP address'
      : undefined;
  return (
    fault &&
    `400 urn:ietf:params:acme:error:rejectedIdentifier: Invalid identifiers requested :: Cannot issue for "${name}": ${fault}`
  );
}

/** Who signs, and the certificate that is handed out behind the leaf, in PEM. */
export function signerOf(server: string): { readonly signer: Signer; readonly intermediate: string } {
  const host = hostOfServer(server) ?? '';
  const { root, issuer } = DIRECTORIES[host]!;
  const rootKey = ecPrivateKey(deriveKey(host, 'root'));
  const key = ecPrivateKey(deriveKey(host, 'issuer'));
  const organization = host.includes('staging') ? '(STAGING) Internet Security Research Group' : "Let's Encrypt";
  const name = commonName(issuer, [organization]);
  const bytes = makeCertificate(
    {
      ...{ subject: name, issuer: commonName(root, ['Internet Security Research Group']), publicKey: key.publicKey },
      ...{
        serial: sha256(hex(name))
          .subarray(0, 16)
          .map((byte, i) => (i === 0 ? byte & 0x7f : byte)),
      },
      ...{ notBefore: SINCE, notAfter: UNTIL },
      extensions: [
        writeKeyUsage(CA_USAGES),
        writeExtension(EXTENSION.basicConstraints, true, sequence(TRUE)),
        writeExtension(EXTENSION.subjectKeyId, false, octets(keyId(key.publicKey))),
      ],
    },
    (message) => rootKey.sign(message),
    rootKey.algorithm,
  );
  return { signer: { key, name }, intermediate: encodePem('CERTIFICATE', bytes) };
}

const keyId = (publicKey: Uint8Array): Uint8Array =>
  sha256(fields(readDer(publicKey))[1]!.body.slice(1)).subarray(0, KEY_ID_BYTES);
