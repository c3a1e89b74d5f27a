import { sha256 } from '../../../engine/machinery/crypto/sha256.js';
import { numberOf } from '../../tools/openssl/rsa.js';
import { concat } from '../../../engine/machinery/crypto/x509/der.js';

/**
 * How far the next prime is from a number that a hash makes, for the first so many numbers of a size in bits. To look
 * for a prime takes half a second; what simulates many clusters takes two of these for a key.
 */
const DISTANCES: Readonly<Record<number, readonly number[]>> = {
  1024: [
    ...[22, 3130, 114, 70, 58, 754, 356, 2148, 2696, 1652, 820, 108, 650, 2874, 634, 842, 184, 2298, 42, 334, 364, 360],
    ...[2730, 238, 52, 404, 226, 322, 224, 2778, 232, 156, 86, 50, 176, 1282, 766, 396, 1270, 850, 290, 180, 390, 20],
    ...[1340, 254, 3396, 44, 270, 270, 928, 1142, 1288, 206, 216, 476, 306, 130, 530, 604, 430, 54, 1360, 0],
  ],
  1536: [172, 2156, 622, 446, 4, 1092, 22, 570, 584, 722, 568, 754, 1102, 170, 28, 1278],
  2048: [4468, 206, 1870, 162, 330, 558, 184, 84, 3176, 3528, 2240, 2522, 326, 1300, 474, 2184],
};
const DIGEST_BITS = 256;

export const countOfPrimes = (bits: number): number => DISTANCES[bits]?.length ?? 0;

/** The index-th prime of a size, whose two highest bits are set. */
export function primeOf(bits: number, index: number): bigint {
  const parts = Array.from({ length: bits / DIGEST_BITS }, (_, part) => sha256(`prime ${bits} ${index} ${part}`));
  return (numberOf(concat(parts)) | (3n << BigInt(bits - 2)) | 1n) + BigInt(DISTANCES[bits]![index]!);
}
