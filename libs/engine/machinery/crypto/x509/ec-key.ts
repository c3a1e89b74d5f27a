import { p256 } from '@noble/curves/nist.js';
import { bits, context, der, integer, octets, oid, sequence } from './der.js';
import { encodePem } from './pem.js';

const P256 = '1.2.840.10045.3.1.7';

/** A P-256 key of 32 bytes in PEM (RFC 5915), as Go writes one. Models client-go/util/keyutil. */
export const encodeEcKey = (secret: Uint8Array): string =>
  encodePem(
    'EC PRIVATE KEY',
    sequence(
      integer(Uint8Array.of(1)),
      octets(secret),
      der(context(0, true), oid(P256)),
      der(context(1, true), bits(p256.getPublicKey(secret, false))),
    ),
  );
