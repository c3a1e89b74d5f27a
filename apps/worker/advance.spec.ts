import { expect, test } from '@jest/globals';
import { advance } from './advance.js';

/** Runs `advance` against a host that answers with these results, one after the other; the last one repeats. */
async function run(...results: { again: boolean; nextWake: number | undefined }[]): Promise<string[]> {
  const calls: string[] = [];
  const host = {
    now: () => 1_000,
    advance: async (id: string) => {
      calls.push(`run ${id}`);
      return results.length > 1 ? results.shift()! : results[0]!;
    },
  };
  const tasks = {
    advance: (id: string) => void calls.push(`add ${id}`),
    wake: async (id: string, delayMs: number) => void calls.push(`wake ${id} in ${delayMs}`),
  };
  await advance({ host, tasks }, 'c1');
  return calls;
}
const MORE = { again: true, nextWake: undefined };

test.each<[string, Parameters<typeof run>, string[]]>([
  ['nothing left to do', [{ again: false, nextWake: undefined }], ['run c1']],
  ['something to do later', [{ again: false, nextWake: 1_250 }], ['run c1', 'wake c1 in 250']],
  ['more to do, then later', [MORE, { again: false, nextWake: 1_250 }], ['run c1', 'run c1', 'wake c1 in 250']],
  ['always more to do', [MORE], [...Array<string>(8).fill('run c1'), 'add c1']],
])('a cluster with %s', async (_, results, calls) => {
  expect(await run(...results)).toEqual(calls);
});
