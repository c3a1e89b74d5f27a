import type { Reader, Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { Secrets } from '../../../engine/kinds/index.js';
import { deriveKey, SigningKey } from '../../../engine/machinery/crypto/signing-key.js';
import { sha256 } from '../../../engine/machinery/crypto/sha256.js';
import { sequence, TRUE, DerError } from '../../../engine/machinery/crypto/x509/der.js';
import {
  EXTENSION,
  readAlternativeNames,
  writeAlternativeNames,
  writeExtension,
  writeKeyUsage,
} from '../../../engine/machinery/crypto/x509/extensions.js';
import { makeCertificate } from '../../../engine/machinery/crypto/x509/certificate.js';
import { commonName } from '../../../engine/machinery/crypto/x509/name.js';
import { decodePem, encodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { flag } from '../../programs/task.js';
import { showName } from '../../tools/openssl/x509/names.js';
import { readCertificate } from '../../tools/openssl/show.js';
import { textOfSecret } from './secrets.js';

const YEAR = 365 * 86_400_000;
const SUBJECT = 'Kubernetes Ingress Controller Fake Certificate';
const USAGE = { digitalSignature: 0, keyEncipherment: 2 } as const;

/** What a server shows that has these certificates in PEM; undefined when they are none. */
export function helloOf(pem: string): ServerHello | undefined {
  try {
    const blocks = decodePem(pem).filter(({ type }) => type === 'CERTIFICATE');
    const [leaf] = blocks.map(({ bytes }) => readCertificate(bytes));
    if (!leaf) return undefined;
    const names = leaf.extensions.find(({ id }) => id === EXTENSION.alternativeNames);
    const { dns = [], addresses = [] } = names ? readAlternativeNames(names.value) : {};
    const ips = addresses.map((bytes) => (bytes.length === 4 ? bytes.join('.') : ''));
    const [subject, issuer] = [showName(leaf.subject), showName(leaf.issuer)];
    const common = /CN ?= ?([^,]+)/.exec(subject)?.[1]?.trim();
    return {
      ...{ subject, issuer },
      names: dns.length > 0 || common === undefined ? [...dns, ...ips] : [common],
      chain: blocks.map(({ bytes }) => encodePem('CERTIFICATE', bytes)),
    };
  } catch (error) {
    // Text that only looks like a certificate.
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** The certificate of a Secret of type kubernetes.io/tls. */
export function helloOfSecret(read: Reader, namespace: string, name: string): ServerHello | undefined {
  const pem = textOfSecret(read.get(Secrets, { namespace, name })?.data?.['tls.crt']);
  return pem === undefined ? undefined : helloOf(pem);
}

/** Whether a certificate is for a name: 'a.test', or one label more than '*.test'. */
export const isForName = ({ names }: ServerHello, name: string): boolean =>
  names.some((own) => own.toLowerCase() === name || (own.startsWith('*.') && own.slice(1) === fromDot(name)));

/** The certificate of a host by the TLS of an Ingress. Models controller.go extractTLSSecretName. */
export function helloOfHost(read: Reader, { metadata, spec }: Ingress, host: string): TlsOfHost | undefined {
  const { tls = [] } = spec;
  const namespace = metadata.namespace ?? '';
  const named = tls.find(({ hosts = [] }) => hosts.some((one) => one.toLowerCase() === host));
  if (named) return { hello: named.secretName ? helloOfSecret(read, namespace, named.secretName) : undefined };
  for (const { secretName } of tls) {
    const hello = secretName ? helloOfSecret(read, namespace, secretName) : undefined;
    if (hello && isForName(hello, host)) return { hello };
  }
  return undefined;
}

/** Without a certificate that can be read the controller's own is shown. */
export interface TlsOfHost {
  readonly hello: ServerHello | undefined;
}

const fromDot = (name: string): string => name.slice(name.indexOf('.'));

/** Of --default-ssl-certificate. */
export function defaultHello(read: Reader, start: Start): ServerHello | undefined {
  const [namespace = '', name] = flag(start, 'default-ssl-certificate').split('/');
  return name === undefined ? undefined : helloOfSecret(read, namespace, name);
}

/** What a controller makes for itself when it starts. Models ssl.go getFakeHostSSLCert, with a key of P-256. */
export const fakeHello = (start: Pick<Start, 'seed' | 'at'>): ServerHello =>
  selfSignedHello(start, commonName(SUBJECT, ['Acme Co']), 'ingress.local');

/** A certificate of a year that a program makes for itself; `subject` is DER. */
export function selfSignedHello(
  { seed, at }: Pick<Start, 'seed' | 'at'>,
  subject: Uint8Array,
  name: string,
): ServerHello {
  const key = new SigningKey(deriveKey(seed, 'fake certificate'));
  const notBefore = Math.floor(at / 1_000) * 1_000;
  const bytes = makeCertificate(
    {
      ...{ subject, issuer: subject, serial: sha256(seed).subarray(0, 16) },
      ...{ notBefore, notAfter: notBefore + YEAR, publicKey: key.publicKey },
      extensions: [
        writeKeyUsage(new Set(Object.values(USAGE))),
        writeExtension(EXTENSION.basicConstraints, true, sequence(TRUE)),
        writeAlternativeNames({ dns: [name], addresses: [] }),
      ],
    },
    (message) => key.sign(message, 'der'),
  );
  return helloOf(encodePem('CERTIFICATE', bytes))!;
}
