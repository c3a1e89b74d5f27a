/** Seeded randomness: the same seed and purpose give the same numbers, in any process. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, n). */
  below(n: number): number;
  /** n characters of upstream's safe alphabet (util/rand SafeEncodeString's). */
  suffix(n: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const codesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const HEX_DIGITS: readonly number[] = codesOf('0123456789abcdef');
const NIL_UUID: readonly number[] = codesOf('00000000-0000-0000-0000-000000000000');

/** FNV-1a over the text, mixed with a number: seeds one stream per (seed, revision). */
export function hash32(text: string, salt = 0): number {
  let h = (0x811c9dc5 ^ salt) >>> 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b) >>> 0;
  h ^= h >>> 13;
  return h >>> 0;
}

/** sfc32 (public domain, C. Doty-Humphrey): small, fast, passes PractRand. */
export class SeededRandom implements Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 1;

  constructor(seed: number, stream = 0) {
    this.reseed(seed, stream);
  }

  /** Starts the stream anew, so that draws at one revision do not depend on how many were made before it. */
  reseed(seed: number, stream: number): void {
    this.a = seed | 0;
    this.b = stream | 0;
    this.c = (stream / 0x1_0000_0000) | 0;
    this.d = 1;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  private uint32(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }

  next(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  suffix(n: number): string {
    let s = '';
    for (let i = 0; i < n; i++) s += SAFE_ALPHABET[this.below(SAFE_ALPHABET.length)];
    return s;
  }

  uuid(): string {
    const p = this.uint32();
    const q = (this.uint32() & 0xffff0fff) | 0x00004000;
    const r = (this.uint32() & 0x3fffffff) | 0x80000000;
    const s = this.uint32();
    // One flat string: one put together of pieces is copied again when it becomes a key.
    const codes = NIL_UUID.slice();
    writeHex(codes, 0, p, 8);
    writeHex(codes, 9, q >>> 16, 4);
    writeHex(codes, 14, q, 4);
    writeHex(codes, 19, r >>> 16, 4);
    writeHex(codes, 24, r, 4);
    writeHex(codes, 28, s, 8);
    return String.fromCharCode(...codes);
  }
}

/** Writes the codes of the number's lowest hexadecimal digits. */
function writeHex(codes: number[], at: number, value: number, digits: number): void {
  for (let i = at + digits - 1; i >= at; i--, value >>>= 4) codes[i] = HEX_DIGITS[value & 15]!;
}
