import crypto from 'node:crypto';
import net from 'node:net';
import type { PrismaClient } from './database.js';

/** PEM texts. The certificate signs itself: kubeconfig files carry it as their certificate authority. */
export interface Certificate {
  readonly certificate: string;
  readonly privateKey: string;
}

const YEARS = 10;
const DAY_MS = 24 * 60 * 60_000;
const LINE = /.{1,64}/g;

/** The certificate for a host name, made once and shared by all processes. */
export async function certificateFor(database: PrismaClient, host: string): Promise<Certificate> {
  const known = await database.certificate.findUnique({ where: { host } });
  if (known) return known;
  await database.certificate.createMany({ data: { host, ...selfSigned(host, Date.now()) }, skipDuplicates: true });
  return database.certificate.findUniqueOrThrow({ where: { host } });
}

// ---- DER: a tag, a length, contents (X.690) ----

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), body]);
}
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const set = (...parts: Uint8Array[]): Buffer => der(0x31, ...parts);
const octets = (...parts: Uint8Array[]): Buffer => der(0x04, ...parts);
const bits = (unused: number, body: Uint8Array): Buffer => der(0x03, Buffer.from([unused]), body);
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '')}`));
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
const TRUE = der(0x01, Buffer.from([0xff]));

function oid(text: string): Buffer {
  const [a = 0, b = 0, ...rest] = text.split('.').map(Number);
  const base128 = (n: number): number[] =>
    n < 0x80 ? [n] : [...base128(Math.floor(n / 0x80)).map((x) => x | 0x80), n & 0x7f];
  return der(0x06, Buffer.from([a * 40 + b, ...rest.flatMap(base128)]));
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const extension = (id: string, critical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(id), ...(critical ? [TRUE] : []), octets(value));

/** GeneralName: 7 is an address, 2 a DNS name. */
function alternativeName(host: string): Buffer {
  if (net.isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)));
  if (host === '::1') return der(0x87, Buffer.from([...Array.from({ length: 15 }, () => 0), 1]));
  return der(0x82, Buffer.from(host));
}

/** A certificate for the host and for this machine (RFC 5280), on P-256. It may sign nothing but itself. */
export function selfSigned(host: string, now: number): Certificate {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8('terrarium'))));
  const hosts = [...new Set([host, 'localhost', '127.0.0.1', '::1'])];
  const extensions = sequence(
    extension('2.5.29.19', true, sequence(TRUE)),
    extension('2.5.29.15', true, bits(2, Buffer.from([0b10000100]))),
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', false, sequence(...hosts.map(alternativeName))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), crypto.randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - DAY_MS), time(now + YEARS * 365 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const whole = sequence(body, ECDSA_WITH_SHA256, bits(0, crypto.sign('sha256', body, privateKey)));
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').match(LINE)!.join('\n')}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
