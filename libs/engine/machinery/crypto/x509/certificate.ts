import type { Millis } from '../../time/time.js';
import {
  bits,
  context,
  der,
  expect,
  fields,
  integer,
  oid,
  readAll,
  readBits,
  readDer,
  readOid,
  readTime,
  sequence,
  TAG,
  time,
  DerError,
  type Der,
} from './der.js';
import { readName, type Name } from './name.js';
import { EXTENSION, readExtensions } from './extensions.js';
import { ECDSA_WITH_SHA256 } from './signature.js';

/** A certificate (RFC 5280), its signature not yet checked. */
export interface Certificate {
  readonly subject: Name;
  /** DER, to be compared. */
  readonly issuer: Uint8Array;
  readonly notBefore: Millis;
  readonly notAfter: Millis;
  readonly publicKey: Uint8Array;
  /** Identifiers of what the key may be used for; undefined = anything. */
  readonly extendedKeyUsages?: readonly string[];
  readonly signed: Uint8Array;
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** Throws DerError. */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const whole = readDer(bytes);
  if (whole.whole.length < bytes.length) throw new DerError('x509: trailing data');
  const [body, algorithm, signature] = fields(whole);
  const parts = fields(body);
  // The version is there in every certificate with extensions.
  const [, , issuer, validity, subject, publicKey, ...rest] =
    parts[0]?.tag === context(0, true) ? parts.slice(1) : parts;
  const [notBefore, notAfter] = fields(validity);
  if (!issuer || !publicKey || !notBefore || !notAfter) throw new DerError('x509: malformed certificate');
  const usages = readExtensions(findExtensions(rest)).get(EXTENSION.extendedKeyUsage);
  return {
    subject: readName(subject),
    issuer: issuer.whole,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    publicKey: publicKey.whole,
    ...(usages ? { extendedKeyUsages: fields(readDer(usages)).map(readOid) } : {}),
    signed: body!.whole,
    algorithm: readOid(fields(algorithm)[0]),
    signature: readBits(signature),
  };
}

function findExtensions(rest: readonly Der[]): Der | undefined {
  const tagged = rest.find((part) => part.tag === context(3, true));
  return tagged && readAll(expect(tagged, context(3, true)))[0];
}

export interface CertificateBody {
  /** Names as DER. */
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  /** Big-endian. */
  readonly serial: Uint8Array;
  readonly notBefore: Millis;
  readonly notAfter: Millis;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

/** The DER of a certificate that `sign` puts its name to; `algorithm` is the AlgorithmIdentifier of that, DER. */
export function makeCertificate(
  { subject, issuer, serial, notBefore, notAfter, publicKey, extensions }: CertificateBody,
  sign: (body: Uint8Array) => Uint8Array,
  algorithm: Uint8Array = sequence(oid(ECDSA_WITH_SHA256)),
): Uint8Array {
  const body = sequence(
    der(context(0, true), der(TAG.integer, Uint8Array.of(2))),
    integer(serial),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    der(context(3, true), sequence(...extensions)),
  );
  return sequence(body, algorithm, bits(sign(body)));
}
