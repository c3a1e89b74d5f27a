import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { fromArray, toArray } from '../../../engine/kernel/bytes.js';

/**
 * RFC 5802 and 7677 with PostgreSQL's form of a stored secret, which MongoDB's users have here too. Passwords are UTF-8
 * bytes; no SASLprep.
 */
const ITERATIONS = 4_096;

const keyOf = (salted: Uint8Array, name: string): Uint8Array => hmac(sha256, salted, toArray(name));
const saltPassword = (password: string, salt: Uint8Array, iterations: number): Uint8Array =>
  pbkdf2(sha256, toArray(password), salt, { c: iterations, dkLen: 32 });

/** What pg_authid keeps: `SCRAM-SHA-256$4096:SALT$STORED:SERVER`. `random`: 0 to 1. */
export function makeVerifier(password: string, random: () => number): string {
  const salt = Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256));
  const salted = saltPassword(password, salt, ITERATIONS);
  const stored = sha256(keyOf(salted, 'Client Key'));
  return `SCRAM-SHA-256$${ITERATIONS}:${base64.encode(salt)}$${base64.encode(stored)}:${base64.encode(keyOf(salted, 'Server Key'))}`;
}

interface Verifier {
  readonly iterations: number;
  readonly salt: string;
  readonly stored: Uint8Array;
  readonly server: Uint8Array;
}

function readVerifier(text: string): Verifier | undefined {
  const [, iterations, salt, stored, server] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/.exec(text) ?? [];
  if (server === undefined) return undefined;
  return { iterations: Number(iterations), salt: salt!, stored: base64.decode(stored!), server: base64.decode(server) };
}

const fieldOf = (message: string, name: string): string | undefined =>
  message
    .split(',')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(2);

export const makeNonce = (random: () => number): string =>
  base64.encode(Uint8Array.from({ length: 18 }, () => Math.floor(random() * 256)));

/** The server's first message to a client's first, without its header. Undefined: not understood. */
export function answerFirst(clientFirst: string, verifier: string, nonce: string): string | undefined {
  const known = readVerifier(verifier);
  const given = fieldOf(clientFirst, 'r');
  return known && given !== undefined ? `r=${given}${nonce},s=${known.salt},i=${known.iterations}` : undefined;
}

/** The server's last message; undefined: the proof is wrong. */
export function answerFinal(
  bare: string,
  serverFirst: string,
  clientFinal: string,
  verifier: string,
): string | undefined {
  const known = readVerifier(verifier);
  const proof = fieldOf(clientFinal, 'p');
  if (!known || proof === undefined || fieldOf(clientFinal, 'r') !== fieldOf(serverFirst, 'r')) return undefined;
  const signed = toArray(`${bare},${serverFirst},${clientFinal.slice(0, clientFinal.lastIndexOf(',p='))}`);
  const signature = hmac(sha256, known.stored, signed);
  const key = decode(proof).map((byte, i) => byte ^ signature[i]!);
  if (fromArray(sha256(key)) !== fromArray(known.stored)) return undefined;
  return `v=${base64.encode(hmac(sha256, known.server, signed))}`;
}

function decode(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    return new Uint8Array();
  }
}

/** A client's last message for a password. */
export function proveClient(password: string, bare: string, serverFirst: string): string {
  const salted = saltPassword(
    password,
    decode(fieldOf(serverFirst, 's') ?? ''),
    Number(fieldOf(serverFirst, 'i') ?? 1),
  );
  const withoutProof = `c=biws,r=${fieldOf(serverFirst, 'r') ?? ''}`;
  const key = keyOf(salted, 'Client Key');
  const signature = hmac(sha256, sha256(key), toArray(`${bare},${serverFirst},${withoutProof}`));
  return `${withoutProof},p=${base64.encode(key.map((byte, i) => byte ^ signature[i]!))}`;
}
