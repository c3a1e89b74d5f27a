import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { type Bytes, fromArray, toArray } from '../../../engine/kernel/bytes.js';
import { decodeBase64, encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { decodePem, encodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { loadKey, type OpensslContext, randomBytes, readInput, writeOutput } from './context.js';
import { CommandFailure, type OpensslOptions } from './options.js';
import { hex } from './show.js';
import { privateKeyText, publicKeyText } from './show-key.js';

const DIGESTS: Readonly<Record<string, readonly [string, (bytes: Uint8Array) => Uint8Array]>> = {
  ...{ md5: ['MD5', md5], sha1: ['SHA1', sha1], sha256: ['SHA2-256', sha256] },
  ...{ sha384: ['SHA2-384', sha384], sha512: ['SHA2-512', sha512] },
};
export const DIGEST_NAMES = Object.keys(DIGESTS);
export const DIGEST_OPTIONS = `${DIGEST_NAMES.join(' ')} hex r binary out:`;

/** `openssl dgst -sha256`, `openssl sha256`. */
export function runDigest(context: OpensslContext, options: OpensslOptions, name?: string): number {
  const [label, hash] = DIGESTS[name ?? DIGEST_NAMES.find((one) => options.has(one)) ?? 'sha256']!;
  const files = options.operands.length === 0 ? [undefined] : options.operands;
  for (const path of files) {
    const digest = hash(toArray(readInput(context, path, 'file')));
    const shown = path ?? 'stdin';
    const line = options.has('r') ? `${hex(digest)} *${shown}\n` : `${label}(${shown})= ${hex(digest)}\n`;
    writeOutput(context, options.value('out'), options.has('binary') ? fromArray(digest) : line);
  }
  return 0;
}

export const BASE64_OPTIONS = 'd e A in: out: base64 a';

/** `openssl base64`, `openssl enc -base64`. */
export function runBase64(context: OpensslContext, options: OpensslOptions): number {
  const input = readInput(context, options.value('in'), 'file');
  if (options.has('d')) {
    writeOutput(context, options.value('out'), fromArray(decodeBase64(input.replace(/[^A-Za-z0-9+/=]/g, ''))));
    return 0;
  }
  const text = encodeBase64(toArray(input));
  const lines = options.has('A') ? text : (text.match(/.{1,64}/g) ?? []).map((line) => `${line}\n`).join('');
  writeOutput(context, options.value('out'), lines);
  return 0;
}

export const RAND_OPTIONS = 'hex base64 out:';
const MAX_RANDOM = 1 << 20;

/** `openssl rand`. */
export function runRand(context: OpensslContext, options: OpensslOptions): number {
  const [count = ''] = options.operands;
  if (!/^\d{1,9}$/.test(count)) throw new CommandFailure('rand: Use -help for summary.');
  if (Number(count) > MAX_RANDOM) throw new CommandFailure(`rand: not more than ${MAX_RANDOM} bytes here`);
  const bytes = randomBytes(context.tool, Number(count));
  const text = options.has('hex')
    ? `${hex(bytes)}\n`
    : options.has('base64')
      ? wrap(encodeBase64(bytes))
      : fromArray(bytes);
  writeOutput(context, options.value('out'), text);
  return 0;
}

const wrap = (text: string): Bytes => (text.match(/.{1,64}/g) ?? []).map((line) => `${line}\n`).join('');

export const KEY_OPTIONS = 'in: out: pubout pubin noout check text text_pub outform: inform: modulus';

/** `openssl rsa`, `openssl ec` and `openssl pkey`. */
export function runKey(context: OpensslContext, options: OpensslOptions, name: string): number {
  if (options.has('pubin')) return runPublicKey(context, options);
  const key = loadKey(context, options.value('in'));
  if (name !== 'pkey' && key.kind.toLowerCase() !== name) throw new CommandFailure(`Not an ${name.toUpperCase()} key`);
  if (name === 'ec') context.tool.err('read EC key\n');
  if (options.has('check')) context.tool.out(`${name === 'rsa' ? 'RSA key ok' : 'Key is valid'}\n`);
  // As upstream's: rsa and ec have the text before the key, pkey behind it.
  const isTextFirst = name !== 'pkey';
  const tellText = (): void => {
    if (options.has('text_pub') || (options.has('text') && options.has('pubout')))
      context.tool.out(publicKeyText(key.publicKey));
    else if (options.has('text')) context.tool.out(privateKeyText(key));
  };
  if (isTextFirst) tellText();
  if (name === 'rsa' && options.has('modulus')) context.tool.out(`Modulus=${key.rsa!.n.toString(16).toUpperCase()}\n`);
  if (!options.has('noout')) {
    if (name !== 'pkey') context.tool.err(`writing ${name.toUpperCase()} key\n`);
    if (options.has('pubout')) writeKey(context, options, 'PUBLIC KEY', key.publicKey);
    else writeKey(context, options, 'PRIVATE KEY', decodePem(key.pem)[0]!.bytes);
  }
  if (!isTextFirst) tellText();
  return 0;
}

/**
 * A public key, in another form. `openssl rsa` takes those of curves too: kubeadm's documentation has the pin of an
 * authority by it, and here authorities have such keys.
 */
function runPublicKey(context: OpensslContext, options: OpensslOptions): number {
  const path = options.value('in');
  const block = decodePem(readInput(context, path, 'public key')).find(({ type }) => type === 'PUBLIC KEY');
  if (block === undefined) throw new CommandFailure(`Could not read public key from ${path ?? '<stdin>'}`);
  if (options.has('text') || options.has('text_pub')) context.tool.out(publicKeyText(block.bytes));
  return options.has('noout') ? 0 : writeKey(context, options, 'PUBLIC KEY', block.bytes);
}

function writeKey(context: OpensslContext, options: OpensslOptions, type: string, bytes: Uint8Array): number {
  const isDer = options.value('outform')?.toUpperCase() === 'DER';
  const content = isDer ? fromArray(bytes) : encodePem(type, bytes);
  writeOutput(context, options.value('out'), content, type === 'PRIVATE KEY');
  return 0;
}
