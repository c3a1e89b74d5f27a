import { _MD5, _SHA1 } from '@noble/hashes/legacy.js';
import { _SHA224, _SHA256, _SHA384, _SHA512 } from '@noble/hashes/sha2.js';
import { type Bytes, toArray } from '../../../../engine/kernel/bytes.js';

/** A digest that is half way: its words after the last whole block, and what came after that. */
export type DigestState = { words: number[]; length: number; rest: Bytes };

/** A digest of bytes that come piece by piece. */
export interface Digest {
  readonly name: string;
  readonly begin: () => DigestState;
  readonly add: (state: DigestState, bytes: Bytes) => void;
  /** As it is printed, without the file's name. */
  readonly finish: (state: DigestState) => string;
}

/** What the library's Merkle-Damgård classes keep between blocks. */
interface BlockHash {
  readonly blockLen: number;
  length: number;
  get(): number[];
  set(...words: number[]): void;
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function blockDigest(name: string, make: () => object): Digest {
  const resume = ({ words, length }: DigestState): BlockHash => {
    const hash = make() as BlockHash;
    hash.set(...words);
    hash.length = length;
    return hash;
  };
  return {
    name,
    begin: () => ({ words: (make() as BlockHash).get(), length: 0, rest: '' }),
    add(state, bytes) {
      const hash = resume(state);
      const all = state.rest + bytes;
      const whole = all.length - (all.length % hash.blockLen);
      state.rest = all.slice(whole);
      if (whole === 0) return;
      hash.update(toArray(all.slice(0, whole)));
      state.words = hash.get();
      state.length += whole;
    },
    finish(state) {
      const hash = resume(state);
      hash.update(toArray(state.rest));
      return hex(hash.digest());
    },
  };
}

export const MD5 = blockDigest('MD5', () => new _MD5());
export const SHA1 = blockDigest('SHA1', () => new _SHA1());
export const SHA224 = blockDigest('SHA224', () => new _SHA224());
export const SHA256 = blockDigest('SHA256', () => new _SHA256());
export const SHA384 = blockDigest('SHA384', () => new _SHA384());
export const SHA512 = blockDigest('SHA512', () => new _SHA512());

const CRC_TABLE = Array.from({ length: 256 }, (_, i) => {
  let crc = i << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

const addByte = (crc: number, byte: number): number => ((crc << 8) ^ CRC_TABLE[((crc >>> 24) ^ byte) & 255]!) >>> 0;

/** POSIX' cksum: the length follows the bytes. */
export const CRC: Digest = {
  name: 'CRC',
  begin: () => ({ words: [0], length: 0, rest: '' }),
  add(state, bytes) {
    let crc = state.words[0]!;
    for (let i = 0; i < bytes.length; i++) crc = addByte(crc, bytes.charCodeAt(i));
    state.words = [crc];
    state.length += bytes.length;
  },
  finish(state) {
    let crc = state.words[0]!;
    for (let left = state.length; left > 0; left = Math.floor(left / 256)) crc = addByte(crc, left & 255);
    return `${~crc >>> 0} ${state.length}`;
  },
};
