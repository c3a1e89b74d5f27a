import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { BufferedOutput, type FileSystem } from './buffered-output.js';

const busy = (): Error => Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
const broken = (): Error => Object.assign(new Error('EPIPE'), { code: 'EPIPE' });

/** A descriptor that takes what `take` says: a number of bytes, or an error. */
function fakeFiles(take: (bytes: Buffer) => number | Error): { files: FileSystem; text(): string; writes(): number } {
  let text = '';
  let writes = 0;
  const accept = (bytes: Buffer): number => {
    writes++;
    const taken = take(bytes);
    if (taken instanceof Error) throw taken;
    text += bytes.subarray(0, taken).toString();
    return taken;
  };
  const files = {
    write: (_fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void) =>
      setImmediate(() => {
        try {
          done(null, accept(bytes));
        } catch (error) {
          done(error as Error, 0);
        }
      }),
    writeSync: (_fd: number, bytes: Buffer) => accept(bytes),
  } as unknown as FileSystem;
  return { files, text: () => text, writes: () => writes };
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('lines reach a file in their order', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'output-')), 'log');
  const output = new BufferedOutput(openSync(file, 'a'));
  const lines = Array.from({ length: 2_000 }, (_, i) => `line ${i} ${'ä'.repeat(20)}\n`);
  for (const line of lines) {
    output.write(line);
    if (line.includes('00 ')) await pause(1);
  }
  for (let i = 0; i < 10; i++) await pause(5);
  output.flushSync();
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
});

test('short lines wait for company', async () => {
  const { files, text, writes } = fakeFiles((bytes) => bytes.length);
  const output = new BufferedOutput(1, files);
  output.write('a\n');
  output.write('b\n');
  await pause(5);
  expect(writes()).toBe(0);
  output.flush();
  await pause(5);
  expect([text(), writes()]).toEqual(['a\nb\n', 1]);
});

test.each<[string, () => (bytes: Buffer) => number | Error]>([
  ['takes a part of a write', () => (bytes) => Math.min(3, bytes.length)],
  [
    'is busy for a while',
    () => {
      let times = 3;
      return (bytes) => (times-- > 0 ? busy() : bytes.length);
    },
  ],
])('a reader that %s gets all of it', async (_, take) => {
  const { files, text } = fakeFiles(take());
  const output = new BufferedOutput(1, files);
  output.write('a line of text\n');
  output.flush();
  await pause(150);
  expect(text()).toBe('a line of text\n');
});

test.each([
  ['flush', 1],
  ['flushSync', 1],
] as const)('%s gives up when the reader has gone', async (method, attempts) => {
  const { files, writes } = fakeFiles(broken);
  const output = new BufferedOutput(1, files);
  output.write('lost\n');
  output[method]();
  await pause(60);
  expect(writes()).toBe(attempts);
});

test('flushSync does not wait for ever for a slow reader', () => {
  const { files } = fakeFiles(busy);
  const output = new BufferedOutput(1, files);
  output.write('late\n');
  const started = performance.now();
  output.flushSync();
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('lines for a reader that has stopped are dropped and counted, beyond 4 Mi characters', () => {
  const { files } = fakeFiles(busy);
  const output = new BufferedOutput(1, files);
  const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let i = 0; i < 10; i++) output.write(line);
  expect(output.dropped).toBeGreaterThan(0);
  expect(output.dropped).toBeLessThan(10);
});
