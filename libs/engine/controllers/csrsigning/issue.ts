import type { CertificateSigningRequestSpec } from '../../api/certificates_v1.js';
import { EXTENDED_USAGES, KEY_USAGES } from '../../kinds/certificates/usages.js';
import type { Random } from '../../machinery/random.js';
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../../machinery/time/time.js';
import type { Authority } from '../../machinery/crypto/x509/authority.js';
import { oid, sequence } from '../../machinery/crypto/x509/der.js';
import { EXTENSION, writeExtension, writeKeyUsage } from '../../machinery/crypto/x509/extensions.js';
import { writeName } from '../../machinery/crypto/x509/name.js';
import type { CertificateRequest } from '../../machinery/crypto/x509/request.js';
import { own } from '../../machinery/meta/object.js';

/** As --cluster-signing-duration by default. */
const LIFETIME: Millis = 365 * DAY;
const LEAST: Millis = 10 * MINUTE;
/** For clocks that are behind. */
const BACKDATE: Millis = 5 * MINUTE;
/** Shorter lives end when they were asked to, as if they had begun now. */
const SHORT: Millis = 8 * HOUR;

/**
 * A certificate as asked for, with the usages of the spec. Models pkg/controller/certificates/authority
 * PermissiveSigningPolicy.
 */
export function issueCertificate(
  authority: Authority,
  { subject, names, publicKey }: CertificateRequest,
  { usages = [], expirationSeconds }: CertificateSigningRequestSpec,
  random: Random,
  now: Millis,
): Uint8Array {
  const lifetime =
    expirationSeconds === undefined ? LIFETIME : Math.min(LIFETIME, Math.max(LEAST, expirationSeconds * SECOND));
  const end = now + lifetime - (lifetime < SHORT ? 0 : BACKDATE);
  return authority.issue({
    subject: writeName(subject),
    serial: serialNumber(random),
    notBefore: now - BACKDATE,
    notAfter: Math.min(end, authority.notAfter),
    publicKey,
    extensions: [
      ...usageExtensions(usages),
      writeExtension(EXTENSION.basicConstraints, true, sequence()),
      ...(names.raw ? [writeExtension(EXTENSION.alternativeNames, subject.attributes.size === 0, names.raw)] : []),
    ],
  });
}

function usageExtensions(usages: readonly string[]): Uint8Array[] {
  const bits = new Set(usages.flatMap((u) => own(KEY_USAGES, u) ?? []));
  const extended = [
    ...new Set(
      Object.entries(EXTENDED_USAGES)
        .filter(([u]) => usages.includes(u))
        .map(([, id]) => id),
    ),
  ];
  return [
    ...(bits.size ? [writeKeyUsage(bits)] : []),
    ...(extended.length ? [writeExtension(EXTENSION.extendedKeyUsage, false, sequence(...extended.map(oid)))] : []),
  ];
}

/** 122 bits of chance. */
const serialNumber = (random: Random): Uint8Array =>
  Uint8Array.from(random.uuid().replaceAll('-', '').match(/../g)!, (b) => parseInt(b, 16));
