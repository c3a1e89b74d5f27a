import crypto from 'node:crypto';
import { ClusterKeys, x509 } from '@terrarium/engine';
import type { Subject } from '../identity/principal.js';

/** PEM texts. The key is made for the certificate, and kept nowhere. */
export interface UserCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** In the cluster's virtual time: ms since the epoch. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

const SERIAL_BYTES = 15;
/** Bits of the keyUsage extension. */
const USAGE = { digitalSignature: 0, keyEncipherment: 2 } as const;
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/**
 * A certificate of the cluster's own authority, which its API server takes for the user and the groups. `secret` is the
 * one that the cluster's keys follow from.
 */
export function issueUserCertificate(secret: string, { user, groups }: Subject, validity: Validity): UserCertificate {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const certificate = new ClusterKeys(secret).authority.issue({
    subject: x509.commonName(user, groups),
    serial: Buffer.concat([Buffer.of(1), crypto.randomBytes(SERIAL_BYTES)]),
    ...validity,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    extensions: [
      x509.writeExtension(x509.EXTENSION.basicConstraints, true, x509.sequence()),
      x509.writeKeyUsage(new Set(Object.values(USAGE))),
      x509.writeExtension(x509.EXTENSION.extendedKeyUsage, false, x509.sequence(x509.oid(CLIENT_AUTHENTICATION))),
    ],
  });
  return {
    certificate: x509.encodePem('CERTIFICATE', certificate),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
