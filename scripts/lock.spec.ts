import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let runLocked: <T>(lock: string, work: () => Promise<T>) => Promise<T>;
beforeAll(async () => {
  ({ runLocked } = (await import(path.resolve('scripts/local/lock.mjs'))) as { runLocked: typeof runLocked });
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-lock-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('work under one lock runs one after the other', async () => {
  const lock = path.join(folder, 'one');
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await sleep(20);
    steps.push(`${name} ends`);
  };
  await Promise.all([runLocked(lock, work('a')), runLocked(lock, work('b'))]);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('what fails gives the lock back, and its error', async () => {
  const lock = path.join(folder, 'failing');
  await expect(runLocked(lock, () => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  await expect(runLocked(lock, async () => 'done')).resolves.toBe('done');
});

test.each([
  ['of a process that is gone', String(spawnSync('true').pid)],
  ['that is empty', ''],
])('a lock %s is no lock', async (_, owner) => {
  const lock = path.join(folder, 'left');
  fs.writeFileSync(lock, owner);
  await expect(runLocked(lock, async () => 'done')).resolves.toBe('done');
});
