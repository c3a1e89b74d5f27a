import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Bytes, textOf } from '../../../../engine/kernel/bytes.js';
import {
  bits,
  compareBytes,
  context as tagOf,
  DerError,
  der,
  fields,
  integer,
  oid,
  readAll,
  readDer,
  readOid,
  sequence,
  set,
  TAG,
  time,
  TRUE,
} from '../../../../engine/machinery/crypto/x509/der.js';
import { EXTENSION, writeExtension } from '../../../../engine/machinery/crypto/x509/extensions.js';
import { decodePem, encodePem } from '../../../../engine/machinery/crypto/x509/pem.js';
import { parseRequest, requestFault } from '../../../../engine/machinery/crypto/x509/request.js';
import { type Config, configuredExtensions, configuredSubject, readConfig, valueOf } from './config.js';
import { loadCertificate, loadKey, type OpensslContext, randomBytes, readInput, writeOutput } from '../context.js';
import { authorityKeyId, type Keys, type MadeExtension, parseExtension, subjectKeyId } from './extension-values.js';
import type { PrivateKey } from '../keys.js';
import { parseSubject, showName } from './names.js';
import { CommandFailure, type OpensslOptions } from '../options.js';
import {
  type CertificateParts,
  hex,
  readCertificate,
  readExtensionList,
  showCertificate,
  showExtension,
  showPublicKey,
  showSignature,
  showTime,
} from '../show.js';

const DAY = 86_400_000;
export const X509_OPTIONS =
  'in: out: noout text subject issuer dates startdate enddate serial fingerprint sha1 sha256 ext: checkend: pubkey ' +
  'modulus req CA: CAkey: CAcreateserial CAserial: days: extfile: extensions: inform: outform: copy_extensions: nameopt: hash ' +
  'signkey: key:';
export const REQ_OPTIONS =
  'in: out: new newkey: nodes noenc keyout: key: subj: x509 days: addext: noout text subject verify pubkey sha256 batch ' +
  'config: extensions: reqexts: utf8';

/** `openssl x509`. */
export function runX509(context: OpensslContext, options: OpensslOptions): number {
  const { tool } = context;
  for (const name of ['inform', 'outform']) {
    if (options.has(name) && options.value(name)!.toUpperCase() !== 'PEM')
      throw new CommandFailure(`x509: only PEM is read and written here`);
  }
  for (const name of ['nameopt', 'hash']) {
    if (options.has(name)) throw new CommandFailure(`x509: Unknown option: -${name}\nx509: Use -help for summary.`);
  }
  const parts = options.has('req') ? signRequest(context, options) : loadCertificate(context, options.value('in'));
  const shown: readonly (readonly [string, () => string])[] = [
    ['text', () => showCertificate(parts)],
    [
      'serial',
      () =>
        `serial=${hex(parts.serial)
          .toUpperCase()
          .replace(/^00(?=.)/, '')}\n`,
    ],
    ['subject', () => `subject=${showName(parts.subject)}\n`],
    ['issuer', () => `issuer=${showName(parts.issuer)}\n`],
    ['startdate', () => `notBefore=${showTime(parts.notBefore)}\n`],
    ['enddate', () => `notAfter=${showTime(parts.notAfter)}\n`],
    ['dates', () => `notBefore=${showTime(parts.notBefore)}\nnotAfter=${showTime(parts.notAfter)}\n`],
    ['fingerprint', () => showFingerprint(parts, options.has('sha256'))],
    ['ext', () => showExtensions(parts, options.value('ext')!)],
    ['modulus', () => `Modulus=${modulusOf(parts)}\n`],
    ['pubkey', () => encodePem('PUBLIC KEY', parts.publicKey.whole)],
  ];
  for (const name of options.names) tool.out(shown.find(([other]) => other === name)?.[1]() ?? '');
  if (options.has('checkend')) return checkEnd(context, parts, options.value('checkend')!);
  if (!options.has('noout')) writeOutput(context, options.value('out'), encodePem('CERTIFICATE', parts.bytes));
  return 0;
}

function checkEnd({ tool }: OpensslContext, parts: CertificateParts, seconds: Bytes): number {
  if (!/^\d{1,12}$/.test(seconds)) throw new CommandFailure(`x509: Can't parse "${seconds}" as a number`);
  const isOver = parts.notAfter < tool.sys.clock + Number(seconds) * 1_000;
  tool.out(`Certificate will ${isOver ? '' : 'not '}expire\n`);
  return isOver ? 1 : 0;
}

function showFingerprint({ bytes }: CertificateParts, isSha256: boolean): string {
  const digest = isSha256 ? sha256(bytes) : sha1(bytes);
  return `${isSha256 ? 'sha256' : 'SHA1'} Fingerprint=${hex(digest, ':').toUpperCase()}\n`;
}

const EXTENSION_NAMES: Readonly<Record<string, string>> = {
  ...{ subjectAltName: '2.5.29.17', basicConstraints: '2.5.29.19', keyUsage: '2.5.29.15' },
  ...{ extendedKeyUsage: '2.5.29.37', subjectKeyIdentifier: '2.5.29.14', authorityKeyIdentifier: '2.5.29.35' },
};

function showExtensions({ extensions }: CertificateParts, names: Bytes): string {
  const wanted = names.split(',').map((name) => EXTENSION_NAMES[name] ?? name);
  const found = extensions.filter(({ id }) => wanted.includes(id));
  return found.length === 0 ? 'No extensions matched\n' : found.map((one) => showExtension(one, '')).join('');
}

function modulusOf({ publicKey }: CertificateParts): string {
  const [info, value] = fields(publicKey);
  if (readOid(fields(info)[0]) !== '1.2.840.113549.1.1.1') return 'No modulus for this public key type';
  const [modulus] = fields(readDer(value!.body.subarray(1)));
  return hex(modulus!.body).toUpperCase().replace(/^00/, '');
}

interface Body {
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  readonly days: number;
  readonly key: PrivateKey;
}

/** A certificate that is signed with this key, DER. */
function makeCertificate({ tool }: OpensslContext, body: Body): Uint8Array {
  const from = Math.floor(tool.sys.clock / 1_000) * 1_000;
  const serial = randomBytes(tool, 20);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const signed = sequence(
    ...(body.extensions.length > 0 ? [der(tagOf(0, true), integer(Uint8Array.of(2)))] : []),
    ...[integer(serial), body.key.algorithm, body.issuer, sequence(time(from), time(from + body.days * DAY))],
    ...[body.subject, body.publicKey],
    ...(body.extensions.length > 0 ? [der(tagOf(3, true), sequence(...body.extensions))] : []),
  );
  return sequence(signed, body.key.algorithm, bits(body.key.sign(signed)));
}

function daysOf(command: string, options: OpensslOptions): number {
  const text = options.value('days') ?? '30';
  if (!/^\d{1,6}$/.test(text)) throw new CommandFailure(`${command}: Can't parse "${text}" as a number`);
  return Number(text);
}

/** `openssl x509 -req`: a request becomes a certificate. */
function signRequest(context: OpensslContext, options: OpensslOptions): CertificateParts {
  const text = readInput(context, options.value('in'), 'certificate request');
  const request = parseRequestText(text);
  const self = options.value('signkey') ?? options.value('key');
  if (!options.has('CA') && self === undefined)
    throw new CommandFailure('x509: -req needs -CA and -CAkey, or -signkey here');
  const authority = options.has('CA') ? loadCertificate(context, options.value('CA')) : undefined;
  const key = loadKey(context, authority ? (options.value('CAkey') ?? options.value('CA')) : self);
  if (compareBytes(key.publicKey, authority ? authority.publicKey.whole : request.publicKey) !== 0)
    throw new CommandFailure(
      authority ? 'CA certificate and CA private key do not match' : 'Error: key in request does not match -signkey',
    );
  context.tool.err(`Certificate request self-signature ok\nsubject=${showName(readDer(request.subject))}\n`);
  const copies = options.value('copy_extensions') === 'copyall' || options.value('copy_extensions') === 'copy';
  const configured = extensionsOfFile(context, options, { subject: request.publicKey, issuer: key.publicKey });
  const made = makeCertificate(context, {
    ...{ subject: request.subject, publicKey: request.publicKey, key },
    issuer: authority ? authority.subject.whole : request.subject,
    extensions: [...(copies ? request.extensions : []), ...configured],
    days: daysOf('x509', options),
  });
  return readCertificate(made);
}

/** Those of -extfile: of -extensions, or of the section that the file names, or of all above the first heading. */
function extensionsOfFile(context: OpensslContext, options: OpensslOptions, keys: Keys): Uint8Array[] {
  const file = options.value('extfile');
  if (file === undefined) return [];
  const config = readConfig(readConfigFile(context, file));
  const section = options.value('extensions') ?? valueOf(config, '', 'extensions') ?? '';
  return configuredExtensions(config, section, keys).map(({ bytes }) => bytes);
}

function readConfigFile(context: OpensslContext, path: Bytes): Bytes {
  try {
    return readInput(context, path, 'configuration');
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(`Can't open "${path}" for reading, No such file or directory`);
  }
}

interface RequestParts {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  readonly algorithm: string;
  readonly signature: Uint8Array;
  readonly fault: string | undefined;
}

function parseRequestText(text: Bytes): RequestParts {
  try {
    const block = decodePem(text).find(({ type }) => /CERTIFICATE REQUEST$/.test(type));
    if (block === undefined) throw new DerError('');
    const whole = fields(readDer(block.bytes));
    const [, subject, publicKey, attributes] = fields(whole[0]);
    const parsed = parseRequest(encodePem('CERTIFICATE REQUEST', block.bytes));
    const wanted = attributes === undefined ? [] : readAll(attributes.body);
    const list = wanted.find((one) => readOid(fields(one)[0]) === '1.2.840.113549.1.9.14');
    const extensions =
      list === undefined ? [] : fields(fields(fields(list)[1], TAG.set)[0]).map(({ whole: bytes }) => bytes);
    return {
      ...{ subject: subject!.whole, publicKey: publicKey!.whole, extensions, algorithm: parsed.algorithm },
      ...{ signature: parsed.signature, fault: requestFault(parsed) },
    };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new CommandFailure('Unable to load X509 request');
  }
}

/** `openssl req`. */
export function runReq(context: OpensslContext, options: OpensslOptions): number {
  const makes = options.has('new') || options.has('newkey') || options.has('x509');
  if (!makes)
    return showRequest(
      context,
      parseRequestText(readInput(context, options.value('in'), 'certificate request')),
      options,
    );
  const file = options.value('config');
  const config: Config = file === undefined ? new Map() : readConfig(readConfigFile(context, file));
  const key = context.newKey ?? loadKey(context, options.value('key'));
  if (context.newKey !== undefined) {
    if (!options.has('nodes') && !options.has('noenc') && valueOf(config, 'req', 'encrypt_key') !== 'no')
      throw new CommandFailure('req: a key with a password needs a terminal: use -nodes');
    const keyout = options.value('keyout') ?? valueOf(config, 'req', 'default_keyfile') ?? 'privkey.pem';
    writeOutput(context, keyout, key.pem, true);
    context.tool.err('-----\n');
  }
  const given = options.value('subj') ?? configuredSubject(config);
  if (given === undefined) {
    throw new CommandFailure('Error making certificate request\nreq: the name is not asked for here: use -subj');
  }
  const subject = parseSubject(textOf(given));
  if (typeof subject === 'string') throw new CommandFailure(`req: subject ${subject}`);
  const makesCertificate = options.has('x509');
  const section =
    options.value('extensions') ??
    options.value('reqexts') ??
    valueOf(config, 'req', makesCertificate ? 'x509_extensions' : 'req_extensions');
  const keys = { subject: key.publicKey, issuer: key.publicKey };
  const asked = [
    ...(section === undefined ? [] : configuredExtensions(config, section, keys)),
    ...options.all('addext').map((text) => addedExtension(text, keys)),
  ];
  if (makesCertificate) {
    const standing = [
      { id: EXTENSION.subjectKeyId, bytes: subjectKeyId(key.publicKey) },
      { id: EXTENSION.authorityKeyId, bytes: authorityKeyId(key.publicKey) },
      ...(file === undefined ? [{ id: EXTENSION.basicConstraints, bytes: CA }] : []),
    ].filter(({ id }) => asked.every((one) => one.id !== id));
    const made = makeCertificate(context, {
      ...{ subject, issuer: subject, publicKey: key.publicKey },
      extensions: [...standing, ...asked].map(({ bytes }) => bytes),
      ...{ days: daysOf('req', options), key },
    });
    if (options.has('text')) context.tool.out(showCertificate(readCertificate(made)));
    if (!options.has('noout')) writeOutput(context, options.value('out'), encodePem('CERTIFICATE', made));
    return 0;
  }
  const wanted =
    asked.length === 0
      ? []
      : [sequence(oid('1.2.840.113549.1.9.14'), set(sequence(...asked.map(({ bytes }) => bytes))))];
  const info = sequence(integer(Uint8Array.of(0)), subject, key.publicKey, der(tagOf(0, true), ...wanted));
  const request = sequence(info, key.algorithm, bits(key.sign(info)));
  return showRequest(
    context,
    parseRequestText(encodePem('CERTIFICATE REQUEST', request)),
    options,
    encodePem('CERTIFICATE REQUEST', request),
  );
}

const CA = writeExtension(EXTENSION.basicConstraints, true, sequence(TRUE));

function addedExtension(text: Bytes, keys: Keys): MadeExtension {
  const at = text.indexOf('=');
  const made = parseExtension(text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1), keys);
  if (made === undefined) throw new CommandFailure(`req: Error adding request extensions from -addext ${text}`);
  return made;
}

function showRequest(context: OpensslContext, request: RequestParts, options: OpensslOptions, pem?: string): number {
  const { tool } = context;
  const subject = showName(readDer(request.subject));
  if (options.has('verify'))
    tool.err(
      request.fault === undefined
        ? 'Certificate request self-signature verify OK\n'
        : 'Certificate request self-signature verify failure\n',
    );
  if (options.has('text')) {
    const list = request.extensions.length === 0 ? [] : readExtensionList(readDer(sequence(...request.extensions)));
    const shown = list.map((one) => showExtension(one, ' '.repeat(16))).join('');
    tool.out(
      `Certificate Request:\n    Data:\n        Version: 1 (0x0)\n        Subject: ${subject}\n${showPublicKey(readDer(request.publicKey))}` +
        `        Attributes:\n${shown === '' ? '            (none)\n' : ''}            Requested Extensions:\n${shown}` +
        showSignature(request.algorithm, request.signature),
    );
  }
  if (options.has('subject')) tool.out(`subject=${subject}\n`);
  if (options.has('pubkey')) tool.out(encodePem('PUBLIC KEY', request.publicKey));
  if (!options.has('noout'))
    writeOutput(context, options.value('out'), pem ?? readInput(context, options.value('in'), 'certificate request'));
  return options.has('verify') && request.fault !== undefined ? 1 : 0;
}
