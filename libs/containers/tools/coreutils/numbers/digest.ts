import { _MD5, _SHA1 } from '@noble/hashes/legacy.js';
import { _SHA224, _SHA256, _SHA384, _SHA512 } from '@noble/hashes/sha2.js';
import { type Bytes, toArray } from '../../../../engine/kernel/bytes.js';
import { isZeros, zeros } from '../../../../engine/kernel/files/content.js';
import { ZERO_STATES, ZERO_STEP } from './zero-states.js';

/**
 * A digest that is half way: its words after the last whole block, and what came after that. `zeros`: nothing but so
 * many zeros has come, and none of them is in the words yet.
 */
export type DigestState = { words: number[]; length: number; rest: Bytes; zeros: number | null };

/** Takes steps of work. */
type Charge = (steps: number) => void;

/** A digest of bytes that come piece by piece. */
export interface Digest {
  readonly name: string;
  readonly begin: () => DigestState;
  readonly add: (state: DigestState, bytes: Bytes, charge: Charge) => void;
  /** As it is printed, without the file's name. */
  readonly finish: (state: DigestState, charge: Charge) => string;
}

/** Bytes that a step works through: of content, of zeros, and of zeros that are only counted. */
const BYTES_PER_STEP = 4;
const ZEROS_PER_STEP = 16;
const COUNTED_PER_STEP = 1_024;

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
  const workBlocks = (state: DigestState, hash: BlockHash, blocks: Uint8Array): void => {
    if (blocks.length === 0) return;
    hash.update(blocks);
    state.words = hash.get();
    state.length += blocks.length;
  };
  const work = (state: DigestState, bytes: Bytes, charge: Charge): void => {
    charge(Math.floor(bytes.length / BYTES_PER_STEP));
    const hash = resume(state);
    const all = state.rest + bytes;
    const whole = all.length - (all.length % hash.blockLen);
    state.rest = all.slice(whole);
    workBlocks(state, hash, toArray(all.slice(0, whole)));
  };
  /** The zeros that were counted are worked through now, from the last known state before their end. */
  const settle = (state: DigestState, charge: Charge): void => {
    const { zeros: count } = state;
    state.zeros = null;
    if (count === null || count === 0) return;
    const words = state.words.length * HEX_OF_WORD;
    const known = ZERO_STATES[name]!.replace(/\s+/g, '');
    const steps = Math.min(Math.floor(count / ZERO_STEP), known.length / words);
    if (steps > 0) {
      const text = known.slice((steps - 1) * words, steps * words);
      state.words = state.words.map((_, i) => Number.parseInt(text.slice(i * HEX_OF_WORD, (i + 1) * HEX_OF_WORD), 16));
      state.length = steps * ZERO_STEP;
    }
    const left = count - steps * ZERO_STEP;
    charge(Math.floor(left / ZEROS_PER_STEP));
    const hash = resume(state);
    workBlocks(state, hash, new Uint8Array(left - (left % hash.blockLen)));
    state.rest = zeros(left % hash.blockLen);
  };
  return {
    name,
    begin: () => ({ words: (make() as BlockHash).get(), length: 0, rest: '', zeros: 0 }),
    add(state, bytes, charge) {
      if (state.zeros !== null && state.zeros + bytes.length <= MOST_ZEROS && isZeros(bytes)) {
        state.zeros += bytes.length;
        return charge(Math.floor(bytes.length / COUNTED_PER_STEP));
      }
      settle(state, charge);
      work(state, bytes, charge);
    },
    finish(state, charge) {
      settle(state, charge);
      const hash = resume(state);
      hash.update(toArray(state.rest));
      return hex(hash.digest());
    },
  };
}

const HEX_OF_WORD = 8;
/** More than these are worked through as they come: behind the last known state nothing is left out. */
const MOST_ZEROS = 41 * ZERO_STEP - 1;

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
  begin: () => ({ words: [0], length: 0, rest: '', zeros: null }),
  add(state, bytes, charge) {
    let crc = state.words[0]!;
    state.length += bytes.length;
    // Zeros leave the zero that it begins with as it is.
    if (crc === 0 && isZeros(bytes)) return charge(Math.floor(bytes.length / COUNTED_PER_STEP));
    charge(Math.floor(bytes.length / BYTES_PER_STEP));
    for (let i = 0; i < bytes.length; i++) crc = addByte(crc, bytes.charCodeAt(i));
    state.words = [crc];
  },
  finish(state) {
    let crc = state.words[0]!;
    for (let left = state.length; left > 0; left = Math.floor(left / 256)) crc = addByte(crc, left & 255);
    return `${~crc >>> 0} ${state.length}`;
  },
};
