import crypto from 'node:crypto';
import net from 'node:net';
import { x509 } from '@terrarium/engine';
import ipaddr from 'ipaddr.js';
import { clusterDomains } from './cluster-domains.js';
import type { Settings } from '../settings.js';

/** PEM texts. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly privateKey: string;
  /** Real ms since the epoch. */
  readonly notAfter: number;
}

const DAY_MS = 24 * 60 * 60_000;
const VALID_DAYS = 90;
const RENEW_DAYS = 30;
const CHECK_MS = 60 * 60_000;
const SERIAL_BYTES = 15;
/** Bit of the keyUsage extension. */
const DIGITAL_SIGNATURE = 0;
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';

/** The names that a server of these settings is reached by: its public host, this machine, and every cluster's root. */
export const serverNames = (settings: Pick<Settings, 'baseDomain' | 'publicUrl'>): string[] => [
  ...new Set([
    new URL(settings.publicUrl).hostname.replace(/^\[|\]$/g, ''),
    'localhost',
    '127.0.0.1',
    '::1',
    ...clusterDomains(settings).map((domain) => `*.${domain}`),
  ]),
];

/**
 * A certificate of the authority for these names (RFC 5280), on P-256. Clients such as rustls refuse to be shown the
 * authority's own.
 */
export function issueServerCertificate(
  authority: x509.Authority,
  names: readonly string[],
  now: number,
): ServerCertificate {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const notAfter = now + VALID_DAYS * DAY_MS;
  const certificate = authority.issue({
    subject: x509.commonName('terrarium-server'),
    serial: Buffer.concat([Buffer.of(1), crypto.randomBytes(SERIAL_BYTES)]),
    notBefore: now - DAY_MS,
    notAfter,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    extensions: [
      x509.writeExtension(x509.EXTENSION.basicConstraints, true, x509.sequence()),
      x509.writeKeyUsage(new Set([DIGITAL_SIGNATURE])),
      x509.writeExtension(x509.EXTENSION.extendedKeyUsage, false, x509.sequence(x509.oid(SERVER_AUTHENTICATION))),
      alternativeNames(names),
    ],
  });
  return {
    certificate: x509.encodePem('CERTIFICATE', certificate),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    notAfter,
  };
}

function alternativeNames(names: readonly string[]): Uint8Array {
  const addresses = names.filter((name) => net.isIP(name) !== 0);
  return x509.writeAlternativeNames({
    dns: names.filter((name) => net.isIP(name) === 0),
    addresses: addresses.map((address) => Uint8Array.from(ipaddr.parse(address).toByteArray())),
  });
}

/**
 * Gives `show` the next certificate a month before the last one ends. Returns what stops it; the timer keeps no process
 * alive.
 */
export function renewBeforeEnd(
  first: ServerCertificate,
  issue: (now: number) => ServerCertificate,
  show: (certificate: ServerCertificate) => void,
): () => void {
  let { notAfter } = first;
  const timer = setInterval(() => {
    if (Date.now() < notAfter - RENEW_DAYS * DAY_MS) return;
    const next = issue(Date.now());
    ({ notAfter } = next);
    show(next);
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}
