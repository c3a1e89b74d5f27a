import { CURVES } from '../../../engine/machinery/crypto/x509/signature.js';
import {
  context,
  type Der,
  expect,
  fields,
  readAll,
  readDer,
  readOid,
  readText,
  readTime,
  TAG,
} from '../../../engine/machinery/crypto/x509/der.js';
import { numberOf } from './rsa.js';
import { showName } from './x509/names.js';

const ALGORITHMS: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.3.101.112': 'ED25519',
};
const EXTENSIONS: Readonly<Record<string, string>> = {
  '2.5.29.14': 'X509v3 Subject Key Identifier',
  '2.5.29.15': 'X509v3 Key Usage',
  '2.5.29.17': 'X509v3 Subject Alternative Name',
  '2.5.29.19': 'X509v3 Basic Constraints',
  '2.5.29.35': 'X509v3 Authority Key Identifier',
  '2.5.29.37': 'X509v3 Extended Key Usage',
};
const USAGES = [
  ...['Digital Signature', 'Non Repudiation', 'Key Encipherment', 'Data Encipherment', 'Key Agreement'],
  ...['Certificate Sign', 'CRL Sign', 'Encipher Only', 'Decipher Only'],
];
const PURPOSES: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'TLS Web Server Authentication',
  '1.3.6.1.5.5.7.3.2': 'TLS Web Client Authentication',
  '1.3.6.1.5.5.7.3.3': 'Code Signing',
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The parts of a certificate as they stand in it. */
export interface CertificateParts {
  readonly version: number;
  readonly serial: Uint8Array;
  readonly algorithm: string;
  readonly issuer: Der;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly subject: Der;
  readonly publicKey: Der;
  readonly extensions: readonly { readonly id: string; readonly isCritical: boolean; readonly value: Uint8Array }[];
  readonly signature: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Throws DerError. */
export function readCertificate(bytes: Uint8Array): CertificateParts {
  const [body, algorithm, signature] = fields(readDer(bytes));
  const all = fields(body);
  const hasVersion = all[0]?.tag === context(0, true);
  const [serial, , issuer, validity, subject, publicKey, ...rest] = hasVersion ? all.slice(1) : all;
  const [notBefore, notAfter] = fields(validity).map(readTime);
  const tagged = rest.find(({ tag }) => tag === context(3, true));
  return {
    version: hasVersion ? Number(numberOf(expect(readAll(all[0]!.body)[0], TAG.integer))) + 1 : 1,
    serial: expect(serial, TAG.integer),
    algorithm: readOid(fields(algorithm)[0]),
    ...{ issuer: issuer!, subject: subject!, publicKey: publicKey!, notBefore: notBefore!, notAfter: notAfter! },
    extensions: tagged === undefined ? [] : readExtensionList(readAll(tagged.body)[0]),
    signature: expect(signature, TAG.bits).subarray(1),
    bytes,
  };
}

export function readExtensionList(list: Der | undefined): CertificateParts['extensions'] {
  return fields(list).map((extension) => {
    const parts = fields(extension);
    const isCritical = parts.length > 2 && parts[1]!.body[0] !== 0;
    return { id: readOid(parts[0]), isCritical, value: expect(parts.at(-1), TAG.octets) };
  });
}

export const hex = (bytes: Uint8Array, separator = ''): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(separator);

/** `Nov 22 20:22:12 2026 GMT`. */
export function showTime(at: number): string {
  const date = new Date(at);
  const clock = date.toISOString().slice(11, 19);
  return `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${clock} ${date.getUTCFullYear()} GMT`;
}

export const showAlgorithm = (id: string): string => ALGORITHMS[id] ?? id;

/** Bytes in rows of 15 or 18 with colons between them. */
export function rows(bytes: Uint8Array, width: number, indent: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += width) {
    const isLast = at + width >= bytes.length;
    text += `${indent}${hex(bytes.subarray(at, at + width), ':')}${isLast ? '' : ':'}\n`;
  }
  return text;
}

/** What -text prints. Models crypto/x509/t_x509.c. */
export function showCertificate(parts: CertificateParts): string {
  const serial = parts.serial.length <= 8 ? `${numberOf(parts.serial)} (0x${numberOf(parts.serial).toString(16)})` : '';
  const extensions = parts.extensions.map((one) => showExtension(one, '            ')).join('');
  return [
    'Certificate:\n    Data:\n',
    `        Version: ${parts.version} (0x${(parts.version - 1).toString(16)})\n`,
    serial === ''
      ? `        Serial Number:\n            ${hex(parts.serial, ':')}\n`
      : `        Serial Number: ${serial}\n`,
    `        Signature Algorithm: ${showAlgorithm(parts.algorithm)}\n`,
    `        Issuer: ${showName(parts.issuer)}\n`,
    `        Validity\n            Not Before: ${showTime(parts.notBefore)}\n`,
    `            Not After : ${showTime(parts.notAfter)}\n`,
    `        Subject: ${showName(parts.subject)}\n`,
    showPublicKey(parts.publicKey),
    extensions === '' ? '' : `        X509v3 extensions:\n${extensions}`,
    showSignature(parts.algorithm, parts.signature),
  ].join('');
}

export const showSignature = (algorithm: string, signature: Uint8Array): string =>
  `    Signature Algorithm: ${showAlgorithm(algorithm)}\n    Signature Value:\n${rows(signature, 18, '        ')}`;

export function showPublicKey(key: Der): string {
  const [info, value] = fields(key);
  const [algorithm, parameters] = fields(info);
  const bytes = expect(value, TAG.bits).subarray(1);
  const indent = ' '.repeat(16);
  const head = '        Subject Public Key Info:\n            Public Key Algorithm: ';
  if (readOid(algorithm) === '1.2.840.113549.1.1.1') {
    const [modulus, exponent] = fields(readDer(bytes)).map((part) => expect(part, TAG.integer));
    const size = numberOf(modulus!).toString(2).length;
    const e = numberOf(exponent!);
    return (
      `${head}rsaEncryption\n${indent}Public-Key: (${size} bit)\n${indent}Modulus:\n` +
      `${rows(modulus!, 15, `${indent}    `)}${indent}Exponent: ${e} (0x${e.toString(16)})\n`
    );
  }
  if (readOid(algorithm) !== '1.2.840.10045.2.1')
    return `${head}ED25519\n${indent}ED25519 Public-Key:\n${indent}pub:\n${rows(bytes, 15, `${indent}    `)}`;
  const names: Readonly<Record<string, readonly [string, string]>> = {
    '1.2.840.10045.3.1.7': ['prime256v1', 'P-256'],
    '1.3.132.0.34': ['secp384r1', 'P-384'],
    '1.3.132.0.35': ['secp521r1', 'P-521'],
  };
  const [name, nist] = names[readOid(parameters)] ?? [readOid(parameters), ''];
  const size = nist.slice(2);
  return (
    `${head}id-ecPublicKey\n${indent}Public-Key: (${size} bit)\n${indent}pub:\n${rows(bytes, 15, `${indent}    `)}` +
    `${indent}ASN1 OID: ${name}\n${indent}NIST CURVE: ${nist}\n`
  );
}

/** How large a public key is, in bits, and of which kind. */
export function sizeOfKey(key: Der): { kind: string; bits: number } {
  const [info, value] = fields(key);
  const [algorithm, parameters] = fields(info);
  if (readOid(algorithm) === '1.2.840.113549.1.1.1') {
    const [modulus] = fields(readDer(expect(value, TAG.bits).subarray(1)));
    return { kind: 'rsaEncryption', bits: numberOf(expect(modulus, TAG.integer)).toString(2).length };
  }
  if (readOid(algorithm) === '1.3.101.112') return { kind: 'ED25519', bits: 256 };
  const curve = readOid(algorithm) === '1.2.840.10045.2.1' ? readOid(parameters) : '';
  return {
    kind: 'id-ecPublicKey',
    bits: curve in CURVES ? { '1.2.840.10045.3.1.7': 256, '1.3.132.0.34': 384 }[curve as '1.3.132.0.34'] : 521,
  };
}

export function showExtension(extension: CertificateParts['extensions'][number], indent: string): string {
  const name = EXTENSIONS[extension.id] ?? extension.id;
  const value = describeExtension(extension.id, extension.value);
  return `${indent}${name}: ${extension.isCritical ? 'critical' : ''}\n${indent}    ${value}\n`;
}

function describeExtension(id: string, value: Uint8Array): string {
  const body = readDer(value);
  switch (id) {
    case '2.5.29.14':
      return hex(body.body, ':').toUpperCase();
    case '2.5.29.15':
      return USAGES.filter((_, bit) => ((body.body[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0).join(', ');
    case '2.5.29.17':
      return readAll(body.body).map(showAlternativeName).join(', ');
    case '2.5.29.19': {
      const [first, second] = readAll(body.body);
      const isAuthority = first?.tag === TAG.boolean && first.body[0] !== 0;
      const length = first?.tag === TAG.integer ? first : second;
      return `CA:${isAuthority ? 'TRUE' : 'FALSE'}${length === undefined ? '' : `, pathlen:${numberOf(length.body)}`}`;
    }
    case '2.5.29.35':
      return hex(readAll(body.body)[0]?.body ?? new Uint8Array(), ':').toUpperCase();
    case '2.5.29.37':
      return readAll(body.body)
        .map((one) => PURPOSES[readOid(one)] ?? readOid(one))
        .join(', ');
    default:
      return hex(value, ':').toUpperCase();
  }
}

function showAlternativeName(name: Der): string {
  if (name.tag === context(1, false)) return `email:${readText(name)}`;
  if (name.tag === context(2, false)) return `DNS:${readText(name)}`;
  if (name.tag === context(6, false)) return `URI:${readText(name)}`;
  if (name.tag !== context(7, false)) return 'othername:<unsupported>';
  const { body } = name;
  if (body.length === 4) return `IP Address:${body.join('.')}`;
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((body[i * 2]! << 8) | body[i * 2 + 1]!).toString(16).toUpperCase(),
  );
  return `IP Address:${groups.join(':')}`;
}
