import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { waitUntil } from '../testing.js';
import { ContainerSession } from './container-session.js';
import { FakeProcess, capitals } from './fake-process.js';

const KIB = 1024;
const bytes = (count: number): string => 'x'.repeat(count);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets the spec say when an input is stored. */
function holdInputs(process: FakeProcess): { release(): void } {
  const held: (() => void)[] = [];
  process.store = () => new Promise((resolve) => held.push(resolve));
  return { release: () => held.splice(0).forEach((resolve) => resolve()) };
}

test('input, both outputs and the exit code', async () => {
  const process = capitals();
  const session = new ContainerSession(process);
  session.stdin.write('hello\n');
  await waitUntil(() => process.stdin === 'hello\n');
  session.stdin.end('exit 3\n');
  const [stdout, stderr, end] = await Promise.all([text(session.stdout), text(session.stderr), session.end]);
  expect([stdout, stderr, end]).toEqual(['HELLO\nEXIT 3\n', 'hello\n', { type: 'exit', code: 3 }]);
});

test('bytes are not text', async () => {
  const process = capitals();
  const session = new ContainerSession(process);
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  session.stdin.write(all);
  await waitUntil(() => process.stdin.length === 256);
  expect(Buffer.from(process.stdin, 'latin1')).toEqual(all);
  process.print(process.stdin);
  process.exit(0);
  const chunks: Buffer[] = [];
  for await (const chunk of session.stdout) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).subarray(-256)).toEqual(all);
});

describe('input', () => {
  test('that comes while one is stored makes one more, in order', async () => {
    const process = new FakeProcess();
    const { release } = holdInputs(process);
    const session = new ContainerSession(process);
    for (const key of 'abcdef') session.stdin.write(key);
    session.resize({ columns: 80, rows: 24 });
    session.resize({ columns: 100, rows: 30 });
    await pause(10);
    release();
    await waitUntil(() => process.inputs.length === 1);
    session.stdin.end();
    await pause(10);
    release();
    await waitUntil(() => process.inputs.length === 2);
    await pause(10);
    release();
    await waitUntil(() => process.inputs.length === 3);
    expect(process.inputs.map(({ received: _, ...input }) => input)).toEqual([
      { stdin: 'a' },
      { resize: { columns: 100, rows: 30 }, stdin: 'bcdef' },
      { closeStdin: true },
    ]);
  });

  test('that is not taken whole is sent again when the process has read, in order, and ends after that', async () => {
    const process = new FakeProcess();
    process.takes = 30;
    process.unread = 30;
    const session = new ContainerSession(process);
    const all = Array.from({ length: 100 }, (_, i) => String.fromCharCode(33 + (i % 90))).join('');
    session.stdin.end(all);
    await waitUntil(() => process.inputs.length === 1);
    process.change();
    await pause(5);
    expect([process.inputs.length, process.stdin]).toEqual([1, all.slice(0, 30)]);
    process.unread = 0;
    process.change();
    await waitUntil(() => process.stdin.length === 100);
    await waitUntil(() => process.inputs.at(-1)?.closeStdin === true);
    expect(process.stdin).toBe(all);
    const ends = process.inputs.filter(({ closeStdin }) => closeStdin).map(({ stdin = '' }) => stdin.length);
    expect(ends.at(-1)).toBeLessThanOrEqual(30);
  });

  test('of a large file comes in pieces', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process, { inputBytes: 100 });
    session.stdin.end(bytes(250));
    await waitUntil(() => process.inputs.some(({ closeStdin }) => closeStdin));
    expect(process.inputs.map(({ stdin }) => stdin?.length)).toEqual([100, 100, 50, undefined]);
  });

  test('waits while the process does not read, and the output is acknowledged all the same', async () => {
    const process = new FakeProcess();
    process.unread = 0;
    const session = new ContainerSession(process, { inputBytes: 100, waitingBytes: 100, unacknowledgedBytes: 10 });
    session.stdin.write(bytes(100));
    process.unread = 100;
    await waitUntil(() => process.inputs.length === 1);
    await pause(10);
    session.stdin.write(bytes(100));
    await pause(5);
    expect(session.stdin.write(bytes(2 * KIB))).toBe(false);
    process.print(bytes(20));
    await waitUntil(() => process.received?.stdout === 20);
    expect(process.stdin).toHaveLength(100);
    process.unread = 0;
    process.change();
    await waitUntil(() => process.stdin.length === 200 + 2 * KIB);
  });

  test('without anything in it lets a program go on that waits for the API server', async () => {
    const process = new FakeProcess();
    process.waits = true;
    const session = new ContainerSession(process);
    await waitUntil(() => process.inputs.length > 0);
    expect(process.inputs[0]).toEqual({ received: { stdout: 0, stderr: 0 } });
    process.waits = false;
    process.exit(0);
    expect(await session.end).toEqual({ type: 'exit', code: 0 });
  });

  test('that is refused with 429 is sent again, and one whose outcome is unknown is not', async () => {
    const process = new FakeProcess();
    let tries = 0;
    const error = (code: number): ApiError => new ApiError(code, 'Timeout', 'no');
    process.store = async () => {
      tries++;
      if (tries < 3) throw error(429);
      if (tries > 3) throw error(504);
    };
    const session = new ContainerSession(process);
    session.stdin.write('a');
    await waitUntil(() => process.stdin === 'a');
    session.stdin.write('b');
    expect(await session.end).toEqual({ type: 'error', error: error(504) });
    expect([tries, process.stdin]).toEqual([4, 'a']);
  });
});

describe('output', () => {
  test('is not read while the client does not read it', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process, { outputBytes: 10 });
    process.print(bytes(20));
    await waitUntil(() => session.stdout.readableLength === 20);
    const { readings } = process;
    for (let i = 0; i < 10; i++) process.print('y');
    await pause(20);
    expect([process.readings, session.stdout.readableLength]).toEqual([readings, 20]);
    process.exit(0);
    expect(await text(session.stdout)).toBe(bytes(20) + 'y'.repeat(10));
  });

  test('that an attached client was too slow for is lost, and the rest comes once', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process);
    const read = process.read.bind(process);
    process.read = async (position) => {
      const { output, wakeInMs } = await read({ ...position, stdoutFrom: Math.max(4, position.stdoutFrom) });
      return { output: { ...output, stdoutFrom: Math.max(4, position.stdoutFrom) }, wakeInMs };
    };
    process.print('lostkept');
    await waitUntil(() => session.stdout.readableLength > 0);
    process.print('more');
    process.exit(0);
    expect(await text(session.stdout)).toBe('keptmore');
  });

  test('of many changes is read at once', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process);
    session.stdout.resume();
    await waitUntil(() => process.readings === 1);
    for (let i = 0; i < 1_000; i++) process.print('y');
    await pause(20);
    expect(process.readings).toBeLessThan(5);
  });

  test('is acknowledged in larger pieces', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process, { unacknowledgedBytes: 4 * KIB });
    session.stdout.resume();
    for (let i = 0; i < 16; i++) {
      process.print(bytes(KIB));
      await pause(1);
    }
    await waitUntil(() => process.received?.stdout === 16 * KIB);
    expect(process.inputs.length).toBeLessThanOrEqual(4);
  });

  test('is read again when the process wakes', async () => {
    const process = new FakeProcess();
    const read = process.read.bind(process);
    process.read = async (position) => {
      const { output } = await read(position);
      if (process.readings < 3) return { output: { ...output, stdout: 'tick' }, wakeInMs: 5 };
      return { output: { ...output, stdout: '', exit: { code: 0 } }, wakeInMs: undefined };
    };
    expect(await text(new ContainerSession(process).stdout)).toBe('ticktick');
  });
});

describe('the end', () => {
  test('of the client hangs up, with what it has had', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process);
    process.print('hello');
    await waitUntil(() => session.stdout.readableLength === 5);
    session.close();
    session.close();
    await waitUntil(() => process.isHungUp);
    expect(process.inputs).toEqual([{ received: { stdout: 5, stderr: 0 }, hangUp: true }]);
    expect(await session.end).toEqual({ type: 'closed' });
  });

  test('that came with the beginning needs no reading and no input', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process, {}, { stdout: 'hi', stderr: 'ho', exit: { code: 3 } });
    const all = await Promise.all([text(session.stdout), text(session.stderr), session.end]);
    expect(all).toEqual(['hi', 'ho', { type: 'exit', code: 3 }]);
    session.close();
    expect([process.readings, process.inputs]).toEqual([0, []]);
  });

  test('of the cluster here does not hang up: another process may serve it', async () => {
    const process = new FakeProcess();
    const session = new ContainerSession(process);
    await waitUntil(() => process.readings > 0);
    process.unload();
    expect(await session.end).toEqual({ type: 'closed' });
    expect(process.isHungUp).toBe(false);
  });

  test('by an error that is none of the API', async () => {
    const process = new FakeProcess();
    process.read = () => Promise.reject(new Error('broken'));
    expect(await new ContainerSession(process).end).toEqual({
      type: 'error',
      error: new ApiError(500, 'InternalError', 'error executing command in container'),
    });
  });

  test('ends what still waits to be sent', async () => {
    const process = new FakeProcess();
    process.store = () => new Promise(() => undefined);
    const session = new ContainerSession(process);
    session.stdin.write('a');
    session.stdin.write('b');
    process.exit(1);
    expect(await session.end).toEqual({ type: 'exit', code: 1 });
    expect(session.stdin.destroyed).toBe(true);
  });
});
