import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { encodeBase64 } from '../../../../../engine/machinery/text/base64.js';
import { bits, context, der, integer, sequence, time } from '../../../../../engine/machinery/crypto/x509/der.js';
import { encodeEcKey } from '../../../../../engine/machinery/crypto/x509/ec-key.js';
import { writeExtension } from '../../../../../engine/machinery/crypto/x509/extensions.js';
import { encodePem } from '../../../../../engine/machinery/crypto/x509/pem.js';
import { deriveKey, SigningKey } from '../../../../../engine/machinery/crypto/signing-key.js';
import { DAY, SECOND } from '../../../../../engine/machinery/time/time.js';
import { type PrivateKey, readPrivateKey } from '../../../openssl/keys.js';
import type { CertificateParts } from '../../../openssl/show.js';
import type { ToolContext } from '../../../framework/tool.js';
import { diskOf, writeFile } from '../../disk.js';
import { KubeadmFailure } from '../failure.js';
import { fileOf, type ManagedLeaf, PKI, readCertificateFile } from './leaves.js';

const VALIDITY = 365 * DAY;
const SERIAL_BYTES = 8;
const SECRET_BYTES = 32;

/** An authority that can sign: its certificate and its key. */
export interface Signer {
  readonly certificate: CertificateParts;
  readonly key: PrivateKey;
}

/** Undefined: its key is not here (an external authority). Throws KubeadmFailure without its certificate. */
export function findSigner({ sys }: ToolContext, authority: string): Signer | undefined {
  const disk = diskOf(sys);
  const certificate = readCertificateFile(disk, `${PKI}/${authority}.crt`);
  if (!certificate)
    throw new KubeadmFailure(
      `failed to load CA certificate: couldn't load the certificate file ${PKI}/${authority}.crt: open ${PKI}/${authority}.crt: no such file or directory`,
    );
  const key = readPrivateKey(textOf(disk.read(`${PKI}/${authority}.key`) ?? ''));
  return key && { certificate, key };
}

const randomText = ({ sys }: ToolContext, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(Math.floor(sys.random() * 256))).join('');

/** A certificate like this one with a new key, valid for a year from now. */
export function renewLeaf(tool: ToolContext, leaf: ManagedLeaf, signer: Signer): void {
  const path = fileOf(leaf);
  const old = readCertificateFile(diskOf(tool.sys), path);
  if (!old) throw new KubeadmFailure(`failed to load ${path}: it is no certificate`);
  const extensions = old.extensions.map((e) => writeExtension(e.id, e.isCritical, e.value));
  const { certificate, key } = signLeaf(tool, leaf.name, { subject: old.subject.whole, extensions }, signer);
  writePair(tool, leaf, certificate, key);
}

/** A certificate with a new key, valid from now for a year or `validity` (ms), both as PEM. `extensions`: DER. */
export function signLeaf(
  tool: ToolContext,
  name: string,
  { subject, extensions }: { readonly subject: Uint8Array; readonly extensions: readonly Uint8Array[] },
  signer: Signer,
  validity = VALIDITY,
): { readonly certificate: string; readonly key: string } {
  const { sys } = tool;
  const secret = deriveKey(randomText(tool, SECRET_BYTES), name);
  const serial = Uint8Array.from(randomText(tool, SERIAL_BYTES), (char) => char.charCodeAt(0) & 0x7f);
  const from = Math.floor(sys.now / SECOND) * SECOND;
  const body = sequence(
    ...[der(context(0, true), integer(Uint8Array.of(2))), integer(serial), signer.key.algorithm],
    ...[signer.certificate.subject.whole, sequence(time(from), time(from + validity)), subject],
    new SigningKey(secret).publicKey,
    der(context(3, true), sequence(...extensions)),
  );
  const made = sequence(body, signer.key.algorithm, bits(signer.key.sign(body)));
  return { certificate: encodePem('CERTIFICATE', made), key: encodeEcKey(secret) };
}

function writePair({ sys }: ToolContext, leaf: ManagedLeaf, certificate: string, key: string): void {
  const path = fileOf(leaf);
  if (path.endsWith('.conf')) {
    const text = textOf(diskOf(sys).read(path) ?? '')
      .replace(/client-certificate-data: *\S+/, `client-certificate-data: ${encodeBase64(certificate)}`)
      .replace(/client-key-data: *\S+/, `client-key-data: ${encodeBase64(key)}`);
    writeFile(sys, path, bytesOf(text), 0o600);
    return;
  }
  writeFile(sys, path, bytesOf(certificate));
  writeFile(sys, `${leaf.file}.key`, bytesOf(key), 0o600);
}
