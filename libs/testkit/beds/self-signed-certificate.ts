import crypto from 'node:crypto';
import net from 'node:net';
import { x509 } from '@terrarium/engine';
import ipaddr from 'ipaddr.js';

/** PEM texts. */
export interface SelfSignedCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

const YEARS = 10;
const DAY_MS = 24 * 60 * 60_000;
const SERIAL_BYTES = 15;
/** Bits of the keyUsage extension. */
const USAGE = { digitalSignature: 0, certSign: 5 } as const;
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';

/** A server's or client's certificate that is its own authority, for the host and for this machine (RFC 5280). */
export function selfSignedCertificate(host: string, now: number): SelfSignedCertificate {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = x509.commonName('terrarium');
  const body = {
    subject: name,
    issuer: name,
    serial: Buffer.concat([Buffer.of(1), crypto.randomBytes(SERIAL_BYTES)]),
    notBefore: now - DAY_MS,
    notAfter: now + YEARS * 365 * DAY_MS,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    extensions: [
      x509.writeExtension(x509.EXTENSION.basicConstraints, true, x509.sequence(x509.TRUE)),
      x509.writeKeyUsage(new Set(Object.values(USAGE))),
      x509.writeExtension(x509.EXTENSION.extendedKeyUsage, false, x509.sequence(x509.oid(SERVER_AUTHENTICATION))),
      alternativeNames([...new Set([host, 'localhost', '127.0.0.1', '::1'])]),
    ],
  };
  return {
    certificate: x509.encodePem(
      'CERTIFICATE',
      x509.makeCertificate(body, (message) => crypto.sign('sha256', message, privateKey)),
    ),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function alternativeNames(hosts: readonly string[]): Uint8Array {
  const addresses = hosts.filter((host) => net.isIP(host) !== 0);
  return x509.writeAlternativeNames({
    dns: hosts.filter((host) => net.isIP(host) === 0),
    addresses: addresses.map((address) => Uint8Array.from(ipaddr.parse(address).toByteArray())),
  });
}
