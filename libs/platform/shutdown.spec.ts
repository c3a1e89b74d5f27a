import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
    await stopping;
    console.log('stopping');
    if (!process.env.HANG) { clearInterval(beat); process.exit(3); }`;
  writeFileSync(path.join(folder, 'program.mjs'), `${code}\nconst stopping = waitForShutdown();\n${program}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the program and calls `stop` when it is ready; resolves with what it printed and how it ended. */
function run(
  env: NodeJS.ProcessEnv,
  stop: (child: ChildProcess) => void,
): Promise<[string, number | null, string | null]> {
  const child = spawn(process.execPath, [path.join(folder, 'program.mjs')], { env: { ...process.env, ...env } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
    if (output === 'ready\n') stop(child);
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve([output, code, signal])));
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s lets the process end in its own way', async (signal) => {
  expect(await run({}, (child) => child.kill(signal))).toEqual(['ready\nstopping\n', 3, null]);
});

test('with STOP_WITH_PARENT the end of standard input does so too, and the exit cannot hang', async () => {
  const ended = await run({ STOP_WITH_PARENT: '1' }, (child) => child.stdin!.end());
  expect(ended).toEqual(['ready\nstopping\n', null, 'SIGKILL']);
});

test('a process that does not end by itself is killed', async () => {
  const started = performance.now();
  const ended = await run({ STOP_WITH_PARENT: '1', HANG: '1' }, (child) => child.stdin!.end());
  expect(ended).toEqual(['ready\nstopping\n', null, 'SIGKILL']);
  expect(performance.now() - started).toBeGreaterThan(1_400);
}, 15_000);
