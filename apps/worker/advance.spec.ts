import { expect, test } from '@jest/globals';
import type { Tracer } from '@terrarium/host';
import { Advancer } from './advance.js';

type Result = { again: boolean; nextWake: number | undefined };
const MORE: Result = { again: true, nextWake: undefined };
const IDLE: Result = { again: false, nextWake: undefined };

/** An advancer whose host answers with what `advance` says. Clusters are named TENANT or TENANT-N. */
function open(advance: (id: string) => Promise<Result>, slotsOfTenant = 2, tracer?: Pick<Tracer, 'run'>) {
  const calls: string[] = [];
  const host = {
    now: () => 1_000,
    advance: (id: string) => {
      calls.push(`run ${id}`);
      return advance(id);
    },
  };
  const tasks = {
    advance: (id: string) => void calls.push(`add ${id}`),
    wake: async (id: string, delayMs: number) => void calls.push(`wake ${id} in ${delayMs}`),
  };
  const clusters = { tenantOf: async (id: string) => (id === 'deleted' ? '' : id.split('-')[0]!) };
  const tenants = { limits: async (id: string) => ({ suspended: id === 'suspended' }) };
  return { calls, advancer: new Advancer({ host, tasks, clusters, tenants, tracer, concurrency: 4 * slotsOfTenant }) };
}

/** Gives these results, one after the other; the last one repeats. */
const inOrder =
  (...results: Result[]) =>
  async (): Promise<Result> =>
    results.length > 1 ? results.shift()! : results[0]!;

test.each<[string, Result[], string[]]>([
  ['nothing left to do', [IDLE], ['run c1']],
  ['something to do later', [{ again: false, nextWake: 1_250 }], ['run c1', 'wake c1 in 250']],
  ['more to do, then later', [MORE, { again: false, nextWake: 1_250 }], ['run c1', 'run c1', 'wake c1 in 250']],
  ['always more to do', [MORE], [...Array<string>(8).fill('run c1'), 'add c1']],
])('a cluster with %s', async (_, results, expected) => {
  const { calls, advancer } = open(inOrder(...results));
  await advancer.advance('c1');
  expect(calls).toEqual(expected);
});

test('a task is a part of the trace of the request behind it; one without has none', async () => {
  const spans: unknown[] = [];
  const run: Tracer['run'] = (name, options, work) => {
    spans.push([name, options]);
    return work();
  };
  const { calls, advancer } = open(inOrder(IDLE), 2, { run });
  await advancer.work({ cluster: 'c1', traceparent: 'tp' });
  await advancer.work({ cluster: 'c2' });
  expect(spans).toEqual([['advance', { parents: ['tp'], attributes: { 'terrarium.cluster': 'c1' } }]]);
  expect(calls).toEqual(['run c1', 'run c2']);
});

test.each(['deleted', 'suspended-1'])('a cluster that is %s is not run', async (cluster) => {
  const { calls, advancer } = open(inOrder(IDLE));
  await advancer.advance(cluster);
  expect(calls).toEqual([]);
});

test('a task whose lock is lost ends without another', async () => {
  const lock = new AbortController();
  const { calls, advancer } = open(async () => (lock.abort(), MORE));
  await advancer.advance('c1', lock.signal);
  expect(calls).toEqual(['run c1']);
});

test('a task that is given out twice does not run twice at once', async () => {
  let [running, most] = [0, 0];
  const { calls, advancer } = open(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return IDLE;
  });
  await Promise.all([advancer.advance('c1'), advancer.advance('c1'), advancer.advance('c1')]);
  expect([most, calls]).toEqual([1, ['run c1', 'run c1', 'run c1']]);
});

test('a tenant without a free slot waits, and another does not', async () => {
  const ends: (() => void)[] = [];
  const { calls, advancer } = open((id) =>
    id.startsWith('flood') ? new Promise((resolve) => ends.push(() => resolve(MORE))) : inOrder(IDLE)(),
  );
  const flood = ['flood-1', 'flood-2', 'flood-3', 'flood-4'].map((id) => advancer.advance(id));
  await Promise.all(flood.slice(2));
  await advancer.advance('quiet-1');
  expect(calls).toEqual(['run flood-1', 'run flood-2', 'run quiet-1']);
  // While others of its tenant wait, a busy cluster has one turn.
  for (const end of ends) end();
  await Promise.all(flood);
  expect(calls.slice(3)).toEqual(['add flood-1', 'add flood-2', 'add flood-3', 'add flood-4']);
});

test('an error gives the slot back', async () => {
  const { calls, advancer } = open(async () => {
    throw new Error('the store does not answer');
  }, 1);
  await expect(advancer.advance('a-1')).rejects.toThrow('the store does not answer');
  await expect(advancer.advance('a-2')).rejects.toThrow('the store does not answer');
  expect(calls).toEqual(['run a-1', 'run a-2']);
});
