import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transformFileSync } from '@swc/core';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'terrarium-test-'));
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
  const { code } = transformFileSync(path.resolve('libs/platform/shutdown.ts'), {
    swcrc: false,
    jsc,
    module: { type: 'es6' },
  });
  const program = `console.log('ready');
    const beat = setInterval(() => undefined, 1_000);
    if (process.env.FAILURE) setTimeout(() => eval(process.env.FAILURE), 1);
    const exitCode = await stopping;
    console.log('stopping');
    if (!process.env.HANG) { clearInterval(beat); process.exit(exitCode); }`;
  writeFileSync(path.join(folder, 'program.mjs'), `${code}\nconst stopping = waitForShutdown();\n${program}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the program and calls `stop` when it is ready; resolves with what it printed and how it ended. */
function run(
  env: NodeJS.ProcessEnv,
  stop: (child: ChildProcess) => void,
): Promise<[string, number | null, string | null, string]> {
  const child = spawn(process.execPath, [path.join(folder, 'program.mjs')], { env: { ...process.env, ...env } });
  let [output, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
    if (output === 'ready\n') stop(child);
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve([output, code, signal, errors])));
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s lets the process end in its own way', async (signal) => {
  expect(await run({}, (child) => child.kill(signal))).toEqual(['ready\nstopping\n', 0, null, '']);
});

test('with STOP_WITH_PARENT the end of standard input does so too, and the exit cannot hang', async () => {
  const ended = await run({ STOP_WITH_PARENT: '1' }, (child) => child.stdin!.end());
  expect(ended).toEqual(['ready\nstopping\n', null, 'SIGKILL', '']);
});

test('a process that does not end by itself is killed', async () => {
  const started = performance.now();
  const ended = await run({ STOP_WITH_PARENT: '1', HANG: '1' }, (child) => child.stdin!.end());
  expect(ended).toEqual(['ready\nstopping\n', null, 'SIGKILL', '']);
  expect(performance.now() - started).toBeGreaterThan(1_400);
}, 15_000);

describe('an error that nothing has caught', () => {
  const wait = (): void => undefined;

  test.each<[string, string, string, string]>([
    ['is thrown', 'throw new Error("broken")', 'uncaughtException', 'broken'],
    ['is a rejection', 'void Promise.reject(new Error("refused"))', 'unhandledRejection', 'refused'],
    ['is no Error', 'throw "text"', 'uncaughtException', "'text'"],
  ])('%s: it is logged with its stack, and the process ends in its own way with another code', async (...row) => {
    const [, failure, origin, message] = row;
    const [output, code, signal, errors] = await run({ FAILURE: failure, STOP_WITH_PARENT: '1' }, wait);
    expect([output, code, signal]).toEqual(['ready\nstopping\n', 70, null]);
    const line = JSON.parse(errors) as { err: { message: string; stack?: string } };
    expect(line).toMatchObject({ level: 60, origin, err: { message } });
    expect(line.err.stack ?? 'at ').toContain('at ');
  });

  test('that comes while another one ends the process is logged too', async () => {
    const failure = 'setTimeout(() => { throw new Error("second") }, 1); throw new Error("first")';
    const [, , , errors] = await run({ FAILURE: failure, HANG: '1', STOP_WITH_PARENT: '1' }, (child) =>
      setTimeout(() => child.stdin!.end(), 500),
    );
    expect(errors.match(/"message":"\w+"/g)).toEqual(['"message":"first"', '"message":"second"']);
  }, 15_000);
});
