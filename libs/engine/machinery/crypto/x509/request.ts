import { context, DerError, fields, readBits, readDer, readOid, TAG, expect } from './der.js';
import { readName, type Name } from './name.js';
import { EXTENSION, readAlternativeNames, readExtensions, type AlternativeNames } from './extensions.js';
import { decodePem } from './pem.js';
import { signatureFault } from './signature.js';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** A certification request (PKCS #10, RFC 2986), its signature not yet checked. */
export interface CertificateRequest {
  readonly subject: Name;
  readonly names: AlternativeNames;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly signed: Uint8Array;
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** Of PEM text. Throws DerError in upstream's words. Models pkg/apis/certificates ParseCSR. */
export function parseRequest(pem: string): CertificateRequest {
  const [block] = decodePem(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  const whole = readDer(block.bytes);
  if (whole.whole.length < block.bytes.length) throw new DerError('asn1: syntax error: trailing data');
  const [info, algorithm, signature] = fields(whole);
  const [, subject, publicKey, ...rest] = fields(info);
  expect(publicKey, TAG.sequence);
  const extensions = readExtensions(findRequestedExtensions(rest[0]));
  return {
    subject: readName(subject),
    names: readAlternativeNames(extensions.get(EXTENSION.alternativeNames)),
    publicKey: publicKey!.whole,
    signed: info!.whole,
    algorithm: readOid(fields(algorithm)[0]),
    signature: readBits(signature),
  };
}

/** Returns why the request is not signed by the holder of its key; undefined when it is. */
export const requestFault = (r: CertificateRequest): string | undefined =>
  signatureFault(r.algorithm, r.publicKey, r.signed, r.signature);

function findRequestedExtensions(
  attributes: ReturnType<typeof readDer> | undefined,
): ReturnType<typeof readDer> | undefined {
  if (attributes?.tag !== context(0, true)) return undefined;
  for (const attribute of fields(attributes, context(0, true))) {
    const [type, values] = fields(attribute);
    if (readOid(type) === EXTENSION_REQUEST) return fields(values, TAG.set)[0];
  }
  return undefined;
}
