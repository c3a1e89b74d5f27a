import { sha256 } from '../../machinery/crypto/sha256.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The first characters of the base 32 of a SHA-256, as kube-proxy names its chains. */
export function base32Hash(text: string, characters: number): string {
  const bytes = sha256(text);
  let out = '';
  for (let i = 0; i < characters; i++) {
    const bit = i * 5;
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    out += ALPHABET[(pair >> (11 - (bit & 7))) & 31]!;
  }
  return out;
}
