import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { compress } from './compress.js';
import { decompress } from './decompress.js';

const hasBzip2 = (() => {
  try {
    execFileSync('bzip2', ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const noise = Uint8Array.from({ length: 250_000 }, (_, i) => ((i * 2_654_435_761) >>> 13) & 255);
const CONTENTS: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array()],
  ['a byte', Uint8Array.of(7)],
  ['a text', new TextEncoder().encode('to be or not to be, that is the question\n'.repeat(50))],
  ['a run', new Uint8Array(300_000).fill(65)],
  ['a period', Uint8Array.from({ length: 4_096 }, (_, i) => i & 1)],
  ['noise of several blocks', noise],
];

/** As toEqual of so many bytes takes seconds. */
const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && Buffer.compare(a, b) === 0;

test.each(CONTENTS)('%s comes back', (_, bytes) => expect(isSame(decompress(compress(bytes)), bytes)).toBe(true));

(hasBzip2 ? test : test.skip).each(CONTENTS)('%s is what bzip2 itself reads and writes', (_, bytes) => {
  expect(isSame(execFileSync('bzip2', ['-dc'], { input: compress(bytes) }), bytes)).toBe(true);
  expect(isSame(decompress(Uint8Array.from(execFileSync('bzip2', ['-c'], { input: bytes }))), bytes)).toBe(true);
});

test('what is damaged, or none, is not read', () => {
  const packed = compress(noise);
  packed[packed.length >> 1]! ^= 1;
  expect(decompress(packed)).toBeUndefined();
  expect(decompress(compress(noise).subarray(0, 1_000))).toBeUndefined();
  expect(decompress(new TextEncoder().encode('BZh9hello'))).toBeUndefined();
  expect(decompress(new Uint8Array())).toBeUndefined();
});
