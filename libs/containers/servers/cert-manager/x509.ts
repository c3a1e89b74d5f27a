import { sha256 } from '../../../engine/machinery/crypto/sha256.js';
import {
  bits,
  compareBytes,
  context,
  der,
  DerError,
  fields,
  integer,
  octets,
  oid,
  readDer,
  sequence,
  set,
  TAG,
  TRUE,
} from '../../../engine/machinery/crypto/x509/der.js';
import { makeCertificate } from '../../../engine/machinery/crypto/x509/certificate.js';
import {
  EXTENSION,
  readAlternativeNames,
  writeExtension,
  writeKeyUsage,
} from '../../../engine/machinery/crypto/x509/extensions.js';
import { writeName } from '../../../engine/machinery/crypto/x509/name.js';
import { decodePem, encodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import type { CertificateRequest as ParsedRequest } from '../../../engine/machinery/crypto/x509/request.js';
import { EXTENDED_USAGES, KEY_USAGES } from '../../../engine/kinds/certificates/usages.js';
import { encodeUtf8 } from '../../../engine/machinery/text/utf8.js';
import { parseAddress } from '../../../engine/machinery/net/netip.js';
import type { PrivateKey } from '../../tools/openssl/keys.js';
import { readCertificate, type CertificateParts } from '../../tools/openssl/show.js';
import type { CertificateSpec } from './resources.js';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const COMMON_NAME = '2.5.4.3';
const KEY_ID_BYTES = 20;
const SERIAL_BYTES = 16;
const MAX_CHAIN = 10;

/** Names of a subject by identifier. */
export function attributesOf({ commonName, subject = {} }: CertificateSpec): Map<string, readonly string[]> {
  const all: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['2.5.4.6', subject.countries],
    ['2.5.4.10', subject.organizations],
    ['2.5.4.11', subject.organizationalUnits],
    ['2.5.4.7', subject.localities],
    ['2.5.4.8', subject.provinces],
    ['2.5.4.9', subject.streetAddresses],
    ['2.5.4.17', subject.postalCodes],
    [COMMON_NAME, commonName ? [commonName] : undefined],
    ['2.5.4.5', subject.serialNumber ? [subject.serialNumber] : undefined],
  ];
  return new Map(all.flatMap(([id, values]) => (values?.length ? [[id, values] as const] : [])));
}

/** 4 or 16 bytes. */
const addressBytes = (text: string): Uint8Array => Uint8Array.from(parseAddress(text)?.toByteArray() ?? []);

/** subjectAltName in Go's order. */
function namesOf({ dnsNames = [], emailAddresses = [], ipAddresses = [], uris = [] }: CertificateSpec): Uint8Array {
  const text = (tag: number) => (name: string) => der(context(tag, false), encodeUtf8(name));
  return sequence(
    ...dnsNames.map(text(2)),
    ...emailAddresses.map(text(1)),
    ...ipAddresses.map((address) => der(context(7, false), addressBytes(address))),
    ...uris.map(text(6)),
  );
}

const DEFAULT_USAGES = ['digital signature', 'key encipherment'];

/** keyUsage and extendedKeyUsage. Models KeyUsagesForCertificateOrCertificateRequest. */
function usageExtensions(usages: readonly string[] | undefined, isCA: boolean): Uint8Array[] {
  const all = [...(usages?.length ? usages : DEFAULT_USAGES), ...(isCA ? ['cert sign'] : [])];
  const known = all.flatMap((name) => (KEY_USAGES[name] === undefined ? [] : [KEY_USAGES[name]]));
  const extended = all.flatMap((name) => (EXTENDED_USAGES[name] === undefined ? [] : [oid(EXTENDED_USAGES[name])]));
  return [
    ...(known.length > 0 ? [writeKeyUsage(new Set(known))] : []),
    ...(extended.length > 0 ? [writeExtension(EXTENSION.extendedKeyUsage, false, sequence(...extended))] : []),
  ];
}

/** What a Certificate asks an issuer for, in PEM. Models pkg/util/pki GenerateCSR and EncodeCSR. */
export function writeRequest(spec: CertificateSpec, key: PrivateKey): string {
  const attributes = attributesOf(spec);
  const names = namesOf(spec);
  const hasNames = fields(readDer(names)).length > 0;
  const extensions = [
    ...(hasNames ? [writeExtension(EXTENSION.alternativeNames, attributes.size === 0, names)] : []),
    ...usageExtensions(spec.usages, spec.isCA ?? false),
  ];
  const wanted = sequence(oid(EXTENSION_REQUEST), set(sequence(...extensions)));
  const zero = integer(Uint8Array.of(0));
  const info = sequence(zero, writeName({ attributes }), key.publicKey, der(context(0, true), wanted));
  return encodePem('CERTIFICATE REQUEST', sequence(info, key.algorithm, bits(key.sign(info))));
}

export interface Signer {
  readonly key: PrivateKey;
  /** DER; undefined: the certificate is signed by its own key. */
  readonly name?: Uint8Array;
}

/** The certificate that a request gets, in PEM. Models CertificateTemplateFromCSR and SignCertificate. */
export function signRequest(
  request: ParsedRequest,
  { usages, isCA = false }: { readonly usages?: readonly string[]; readonly isCA?: boolean },
  { key, name }: Signer,
  times: { readonly notBefore: number; readonly notAfter: number },
  seed: string,
): string {
  const subject = writeName(request.subject);
  const { raw } = request.names;
  const serial = sha256(seed).slice(0, SERIAL_BYTES);
  serial[0]! &= 0x7f;
  const keyId = (publicKey: Uint8Array): Uint8Array => sha256(fields(readDer(publicKey))[1]!.body.slice(1));
  const extensions = [
    ...usageExtensions(usages, isCA),
    writeExtension(EXTENSION.basicConstraints, true, isCA ? sequence(TRUE) : sequence()),
    ...(isCA
      ? [writeExtension(EXTENSION.subjectKeyId, false, octets(keyId(request.publicKey).slice(0, KEY_ID_BYTES)))]
      : []),
    ...(name === undefined
      ? []
      : [
          writeExtension(
            EXTENSION.authorityKeyId,
            false,
            sequence(der(context(0, false), keyId(key.publicKey).slice(0, KEY_ID_BYTES))),
          ),
        ]),
    ...(raw ? [writeExtension(EXTENSION.alternativeNames, request.subject.attributes.size === 0, raw)] : []),
  ];
  const body = { subject, issuer: name ?? subject, serial, ...times, publicKey: request.publicKey, extensions };
  return encodePem(
    'CERTIFICATE',
    makeCertificate(body, (bytes) => key.sign(bytes), key.algorithm),
  );
}

/** The certificates of a text in PEM; undefined when there are none, or they cannot be read. */
export function readChain(pem: string | undefined): CertificateParts[] | undefined {
  if (pem === undefined) return undefined;
  try {
    const found = decodePem(pem)
      .filter(({ type }) => type === 'CERTIFICATE')
      .slice(0, MAX_CHAIN)
      .map(({ bytes }) => readCertificate(bytes));
    return found.length > 0 ? found : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

export const isAuthority = ({ extensions }: CertificateParts): boolean => {
  const found = extensions.find(({ id }) => id === EXTENSION.basicConstraints);
  return found !== undefined && fields(readDer(found.value))[0]?.tag === TAG.boolean;
};

const pemOf = ({ bytes }: CertificateParts): string => encodePem('CERTIFICATE', bytes);
const isSelfIssued = ({ issuer, subject }: CertificateParts): boolean =>
  compareBytes(issuer.whole, subject.whole) === 0;

/** What an issuer hands out: the chain without its root, and the root or what is next to it. */
export function bundleOf(leaf: string, authorities: readonly CertificateParts[]): { chain: string; ca?: string } {
  const unique = authorities.filter(
    (one, index) => authorities.findIndex((each) => compareBytes(each.bytes, one.bytes) === 0) === index,
  );
  const last = unique.at(-1);
  const between = unique.filter((one) => !isSelfIssued(one));
  return { chain: [leaf, ...between.map(pemOf)].join(''), ...(last ? { ca: pemOf(last) } : {}) };
}

/** Names of a certificate, for the annotations of its Secret. */
export function namesOfCertificate({ extensions }: CertificateParts): ReturnType<typeof readAlternativeNames> {
  return readAlternativeNames(extensions.find(({ id }) => id === EXTENSION.alternativeNames)?.value);
}
