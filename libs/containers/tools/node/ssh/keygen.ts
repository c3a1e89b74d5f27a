import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesOf, fromArray, textOf, toArray, type Bytes } from '../../../../engine/kernel/bytes.js';
import { waitToRead, type Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { sha256 } from '../../../../engine/machinery/crypto/sha256.js';
import { decodeBase64, encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { readSmallFile } from '../../accounts.js';
import type { FilterContext } from '../../framework/filter.js';
import { type Options, parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure } from '../../framework/tool.js';
import { drawKey } from './randomart.js';
import { writeWholeFile } from '../../whole-file.js';

const TYPES = { ed25519: ['ssh-ed25519', 256], rsa: ['ssh-rsa', 3_072] } as const;
type KeyType = keyof typeof TYPES;
/** Bytes of a block of no cipher. */
const BLOCK = 8;
const MAGIC = 'openssh-key-v1\0';

type KeygenState = {
  type: KeyType;
  bits: number;
  path: string | null;
  phrase: string | null;
  again: string | null;
  line: Bytes;
  isAsked: boolean;
  overwrites: boolean;
};

/** ssh-keygen: pairs of ed25519, and of RSA, whose private halves are random bytes. Models OpenSSH's ssh-keygen(1). */
export const sshKeygen = defineSteps<KeygenState>({
  start(tool) {
    const options = parseOptions(tool, ['q', 'y', 'l', 'p', 'R:', 't:', 'b:', 'f:', 'N:', 'C:', 'a:', 'm:', 'E:']);
    if (options.has('p')) throw new ToolFailure('-p is not simulated', 255);
    if (options.has('R')) return forget(tool, options.value('R')!);
    if (options.has('l')) return showFingerprint(tool, options);
    if (options.has('y')) return showPublic(tool, options);
    const type = textOf(options.value('t') ?? 'ed25519');
    if (type !== 'rsa' && type !== 'ed25519') {
      if (!['ecdsa', 'dsa', 'ecdsa-sk', 'ed25519-sk'].includes(type)) tool.err(`unknown key type ${type}\n`);
      else tool.err(`ssh-keygen: keys of type ${type} are not simulated\n`);
      return 255;
    }
    const bits = type === 'rsa' ? Number(options.value('b') ?? 3_072) : 256;
    if (type === 'rsa' && !(bits >= 1_024 && bits <= 16_384)) {
      tool.err(
        bits > 16_384
          ? 'Invalid RSA key length: maximum is 16384 bits\n'
          : 'Invalid RSA key length: minimum is 1024 bits\n',
      );
      return 255;
    }
    if (!options.has('q')) tool.out(`Generating public/private ${type} key pair.\n`);
    const phrase = options.has('N') ? textOf(options.value('N')!) : null;
    const path = options.has('f') ? textOf(options.value('f')!) : null;
    return { type, bits, path, phrase, again: phrase, line: '', isAsked: false, overwrites: false };
  },
  step: (tool, state) => goOn(tool, state),
});

/** Asks for what the command line has not said, then writes the pair. */
function goOn(tool: FilterContext, state: KeygenState): number | Wait {
  const { sys } = tool;
  const usual = `${sys.env['HOME'] ?? '/root'}/.ssh/id_${state.type}`;
  const question =
    state.path === null
      ? `Enter file in which to save the key (${usual}): `
      : sys.access(state.path, '') && !state.overwrites
        ? `${state.path} already exists.\nOverwrite (y/n)? `
        : state.phrase === null
          ? `Enter passphrase for "${state.path}" (empty for no passphrase): `
          : state.again === null
            ? 'Enter same passphrase again: '
            : undefined;
  if (question === undefined) return writePair(tool, state);
  if (!state.isAsked) {
    tool.out(question);
    state.isAsked = true;
    return { type: 'yield' };
  }
  const line = readLine(sys, state);
  if (line === undefined) return waitToRead(0);
  state.isAsked = false;
  if (state.path === null) state.path = line === '' ? usual : line;
  else if (sys.access(state.path, '') && !state.overwrites) {
    if (!/^y/i.test(line)) return 1;
    state.overwrites = true;
  } else if (state.phrase === null) state.phrase = line;
  else {
    state.again = line;
    if (line !== state.phrase) {
      tool.out('Passphrases do not match.  Try again.\n');
      state.phrase = state.again = null;
    }
  }
  return { type: 'yield' };
}

/** Undefined: it is not whole yet. The end of input ends a line. */
function readLine(sys: Syscalls, state: KeygenState): string | undefined {
  for (;;) {
    const byte = sys.read(0, 1);
    if (byte === undefined) return undefined;
    if (byte !== '\n' && byte !== '') {
      state.line += byte;
      continue;
    }
    const line = textOf(state.line);
    state.line = '';
    return line;
  }
}

function writePair(tool: FilterContext, { type, bits, path, phrase }: KeygenState): number {
  const { sys } = tool;
  const options = parseOptions(tool, ['q', 'y', 'l', 'p', 'R:', 't:', 'b:', 'f:', 'N:', 'C:', 'a:', 'm:', 'E:']);
  if (phrase !== '' && phrase !== null && phrase.length < 5) {
    tool.err('Saving key "' + path! + '" failed: passphrase is too short (minimum five characters)\n');
    return 1;
  }
  const folder = path!.slice(0, Math.max(0, path!.lastIndexOf('/')));
  if (folder !== '' && !sys.access(folder, '')) {
    if (!folder.endsWith('/.ssh')) {
      tool.err(`Saving key "${path}" failed: No such file or directory\n`);
      return 1;
    }
    sys.makeDirectory(folder, 0o700);
    if (!options.has('q')) tool.out(`Created directory '${folder}'.\n`);
  }
  const comment = options.has('C') ? textOf(options.value('C')!) : `${sys.env['USER'] ?? 'root'}@${sys.hostname}`;
  const secret = type === 'ed25519' ? random(sys, 32) : undefined;
  const blob = secret === undefined ? rsaBlob(sys, bits) : ed25519Blob(secret);
  const write = (name: string, text: string, mode: number): void => writeWholeFile(sys, name, bytesOf(text), { mode });
  write(path!, privateFile(sys, blob, secret, comment), 0o600);
  write(`${path}.pub`, `${TYPES[type][0]} ${encodeBase64(toArray(blob))} ${comment}\n`, 0o644);
  if (options.has('q')) return 0;
  tool.out(`Your identification has been saved in ${path}\nYour public key has been saved in ${path}.pub\n`);
  tool.out(
    `The key fingerprint is:\n${fingerprint(blob)} ${comment}\nThe key's randomart image is:\n${drawKey(sha256(toArray(blob)), type.toUpperCase(), bits)}`,
  );
  return 0;
}

const field = (bytes: Bytes): Bytes =>
  String.fromCharCode(...[24, 16, 8, 0].map((shift) => (bytes.length >> shift) & 255)) + bytes;
const random = (sys: Syscalls, count: number): Bytes =>
  String.fromCharCode(...Array.from({ length: count }, () => Math.floor(sys.random() * 256)));

const ed25519Blob = (secret: Bytes): Bytes =>
  field(TYPES.ed25519[0]) + field(fromArray(ed25519.getPublicKey(toArray(secret))));

function rsaBlob(sys: Syscalls, bits: number): Bytes {
  const [name] = TYPES.rsa;
  // A modulus has its highest bit set, and is odd: a zero goes before it.
  const body = random(sys, Math.floor(bits / 8) - 2);
  return field(name) + field('\x01\0\x01') + field(`\0\xc5${body}\x01`);
}

/** In OpenSSH's form (PROTOCOL.key), so that the public key is found in it again. */
function privateFile(sys: Syscalls, blob: Bytes, secret: Bytes | undefined, comment: string): string {
  const hidden = secret === undefined ? random(sys, 1_200) : ed25519Section(sys, blob, secret, bytesOf(comment));
  const content = `${MAGIC}${field('none')}${field('none')}${field('')}\0\0\0\x01${field(blob)}${field(hidden)}`;
  const lines = encodeBase64(toArray(content)).match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

/** The same number twice, the key, its comment, and 1, 2, 3… up to a whole block. */
function ed25519Section(sys: Syscalls, blob: Bytes, secret: Bytes, comment: Bytes): Bytes {
  const check = random(sys, 4);
  const text = check + check + blob + field(secret + blob.slice(-32)) + field(comment);
  const padding = (BLOCK - (text.length % BLOCK)) % BLOCK;
  return text + String.fromCharCode(...Array.from({ length: padding }, (_, at) => at + 1));
}

const fingerprint = (blob: Bytes): string => `SHA256:${encodeBase64(sha256(toArray(blob))).replaceAll('=', '')}`;

/** The public key of a file, private or public; with its comment. */
function readKey(sys: Syscalls, path: string): { blob: Bytes; comment: string } | undefined {
  const text = textOf(readSmallFile(sys, path));
  const [kind = '', data = '', ...comment] = text.trim().split(/\s+/);
  try {
    if (/^ssh-(?:rsa|ed25519)$/.test(kind))
      return { blob: fromArray(decodeBase64(data)), comment: comment.join(' ') || 'no comment' };
    const body = /KEY-----([^-]*)-----END/.exec(text)?.[1]?.replace(/\s/g, '');
    if (body === undefined) return undefined;
    const content = fromArray(decodeBase64(body));
    const at = content.indexOf('\0\0\0\x01\0\0', MAGIC.length) + 4;
    const size = (content.charCodeAt(at + 2) << 8) + content.charCodeAt(at + 3);
    return { blob: content.slice(at + 4, at + 4 + size), comment: 'no comment' };
  } catch {
    return undefined;
  }
}

const kindOf = (blob: Bytes): KeyType => (blob.slice(4, 11) === 'ssh-rsa' ? 'rsa' : 'ed25519');
const bitsOf = (blob: Bytes): number => (kindOf(blob) === 'rsa' ? (blob.length - 4 - 7 - 4 - 3 - 4 - 1) * 8 : 256);

function fileOf({ sys, err }: FilterContext, options: Options): string | undefined {
  const path = textOf(options.value('f') ?? `${sys.env['HOME'] ?? '/root'}/.ssh/id_ed25519`);
  if (sys.access(path, 'r')) return path;
  err(`${path}: No such file or directory\n`);
  return undefined;
}

function showFingerprint(tool: FilterContext, options: Options): number {
  const path = fileOf(tool, options);
  if (path === undefined) return 255;
  const key = readKey(tool.sys, tool.sys.access(`${path}.pub`, 'r') ? `${path}.pub` : path);
  if (!key) {
    tool.err(`${path} is not a public key file.\n`);
    return 255;
  }
  tool.out(`${bitsOf(key.blob)} ${fingerprint(key.blob)} ${key.comment} (${kindOf(key.blob).toUpperCase()})\n`);
  return 0;
}

function showPublic(tool: FilterContext, options: Options): number {
  const path = fileOf(tool, options);
  if (path === undefined) return 255;
  const key = readKey(tool.sys, path);
  if (!key) {
    tool.err(`Load key "${path}": invalid format\n`);
    return 255;
  }
  const own = readKey(tool.sys, `${path}.pub`)?.comment;
  tool.out(
    `${TYPES[kindOf(key.blob)][0]} ${encodeBase64(toArray(key.blob))}${own === undefined || own === 'no comment' ? '' : ` ${own}`}\n`,
  );
  return 0;
}

/** -R: nodes know each other without a file of hosts. */
function forget({ sys, err }: FilterContext, host: string): number {
  const path = `${sys.env['HOME'] ?? '/root'}/.ssh/known_hosts`;
  err(
    sys.access(path, 'r')
      ? `Host ${host} not found in ${path}\n`
      : `do_known_hosts: hostkeys_foreach failed: No such file or directory\n`,
  );
  return sys.access(path, 'r') ? 0 : 255;
}
