import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, expect, it, test } from '@jest/globals';
import type { Measured } from './measure-memory.js';

const CONFIG_MAPS = 50;
let steps: Measured[] = [];

beforeAll(async () => {
  const { build } = (await import(path.resolve('scripts/local/build.mjs'))) as { build(): Promise<boolean> };
  await build();
  const program = path.resolve('dist/libs/host/clusters/measure-memory.js');
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  steps = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
}, 240_000);

const findStep = (name: string): Measured => {
  const found = steps.find(({ step }) => step === name);
  if (!found) throw new Error(`no step ${name}`);
  return found;
};

test.each(['written', 'printed', 'replaced', 'loaded again'])(
  'what is counted is within a factor of two of the heap: %s',
  (name) => {
    const { counted, used } = findStep(name);
    expect(counted).toBeGreaterThan(CONFIG_MAPS / 2);
    expect(counted / used).toBeGreaterThan(0.5);
    expect(counted / used).toBeLessThan(2);
  },
);

it('gives back what an unloaded cluster held', () => {
  expect(findStep('unloaded').used).toBeLessThan(CONFIG_MAPS / 4);
});
