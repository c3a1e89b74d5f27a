import { md5, sha1 } from '@noble/hashes/legacy.js';
import { fromArray, toArray, type Bytes } from '../../../../../engine/kernel/bytes.js';

const LETTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROUNDS = 1_000;
/** The order in which MD5's bytes are printed, three at a time. */
const ORDER = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;

/**
 * Whether a password is the one of a line of an htpasswd file; undefined for a form of hash that is not known here, as
 * for a system's crypt(3). Models nginx's ngx_crypt.
 */
export function isPassword(password: Bytes, hash: string): boolean | undefined {
  if (hash.startsWith('$apr1$') || hash.startsWith('$1$')) {
    const [, magic = '', salt = ''] = hash.split('$');
    return md5Crypt(password, salt.slice(0, 8), `$${magic}$`) === hash;
  }
  if (hash.startsWith('{PLAIN}')) return hash.slice(7) === password;
  if (hash.startsWith('{SHA}')) return hash.slice(5) === btoa(fromArray(sha1(toArray(password))));
  return undefined;
}

/** Models Poul-Henning Kamp's crypt-md5, which Apache's $apr1$ is but for its name. */
export function md5Crypt(password: Bytes, salt: string, magic: string): string {
  const digest = (text: Bytes): Bytes => fromArray(md5(toArray(text)));
  const inner = digest(password + salt + password);
  let first = password + magic + salt;
  for (let left = password.length; left > 0; left -= 16) first += inner.slice(0, Math.min(16, left));
  for (let bits = password.length; bits > 0; bits >>= 1) first += bits & 1 ? '\0' : password.charAt(0);
  let hash = digest(first);
  for (let i = 0; i < ROUNDS; i++) {
    const odd = i % 2 === 1;
    hash = digest(
      (odd ? password : hash) + (i % 3 === 0 ? '' : salt) + (i % 7 === 0 ? '' : password) + (odd ? hash : password),
    );
  }
  const at = (index: number): number => hash.charCodeAt(index);
  const groups = ORDER.map(([a, b, c]) => sixBits((at(a) << 16) | (at(b) << 8) | at(c), 4));
  return `${magic}${salt}$${groups.join('')}${sixBits(at(11), 2)}`;
}

function sixBits(value: number, letters: number): string {
  let text = '';
  for (let i = 0, rest = value; i < letters; i++, rest >>= 6) text += LETTERS[rest & 63]!;
  return text;
}
