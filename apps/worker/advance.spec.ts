import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Tracer } from '@terrarium/host';
import { Advancer } from './advance.js';

type Result = { again: boolean; nextWake: number | undefined };
const MORE: Result = { again: true, nextWake: undefined };
const IDLE: Result = { again: false, nextWake: undefined };

/** An advancer whose host answers with what `advance` says. Clusters are named TENANT or TENANT-N. */
function open(advance: (id: string) => Promise<Result>, slotsOfTenant = 2, tracer?: Pick<Tracer, 'run'>) {
  const calls: string[] = [];
  const clock = { ms: 0 };
  const onError = (id: string, error: unknown) => void calls.push(`${id}: ${(error as Error).message}`);
  const host = {
    now: () => 1_000 + clock.ms,
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
  const parts = { host, tasks, clusters, tenants, tracer, onError, concurrency: 4 * slotsOfTenant };
  return { calls, clock, advancer: new Advancer(parts) };
}

/** Gives these results, one after the other; the last one repeats. */
const inOrder =
  (...results: Result[]) =>
  async (): Promise<Result> =>
    results.length > 1 ? results.shift()! : results[0]!;

test.each<[string, Result[], string[]]>([
  ['nothing left to do', [IDLE], ['run c1']],
  ['something to do later', [{ again: false, nextWake: 3_500 }], ['run c1', 'wake c1 in 2500']],
  ['more to do, then later', [MORE, { again: false, nextWake: 3_500 }], ['run c1', 'run c1', 'wake c1 in 2500']],
  ['always more to do', [MORE], [...Array<string>(8).fill('run c1'), 'add c1']],
])('a cluster with %s', async (_, results, expected) => {
  const { calls, advancer } = open(inOrder(...results));
  await advancer.advance('c1');
  expect(calls).toEqual(expected);
});

test('what is to do soon is done without a task', async () => {
  const { calls, advancer } = open(inOrder({ again: false, nextWake: 1_020 }, IDLE));
  await advancer.advance('c1');
  expect(calls).toEqual(['run c1']);
  await sleep(60);
  expect(calls).toEqual(['run c1', 'run c1']);
});

test('an error of a cluster that was woken is told', async () => {
  const { calls, advancer } = open(async () => {
    if (calls.length > 1) throw new Error('the store does not answer');
    return { again: false, nextWake: 1_010 };
  });
  await advancer.advance('c1');
  await sleep(60);
  expect(calls).toEqual(['run c1', 'run c1', 'c1: the store does not answer']);
});

test('more clusters than may run at once are left to the queue when they wake', async () => {
  const ends: (() => void)[] = [];
  const { calls, advancer } = open(
    (id) =>
      calls.filter((call) => call === `run ${id}`).length > 1
        ? new Promise((resolve) => ends.push(() => resolve(IDLE)))
        : Promise.resolve({ again: false, nextWake: 1_010 }),
    1,
  );
  const clusters = Array.from({ length: 6 }, (_, i) => `tenant${i}-1`);
  for (const cluster of clusters) await advancer.advance(cluster);
  await sleep(60);
  expect(calls.slice(6)).toEqual([
    ...clusters.slice(0, 4).map((cluster) => `run ${cluster}`),
    ...clusters.slice(4).map((cluster) => `add ${cluster}`),
  ]);
  for (const end of ends) end();
});

test('at the end the queue hears of what was to be done soon', async () => {
  const { calls, advancer } = open(inOrder({ again: false, nextWake: 1_900 }));
  await advancer.advance('c1');
  await advancer.close();
  expect(calls).toEqual(['run c1', expect.stringMatching(/^wake c1 in (?:8|9)\d\d$/)]);
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

/** A host whose turns end when they are told to. */
function openSlowly(slotsOfTenant: number) {
  const ends: (() => void)[] = [];
  const results = inOrder(MORE, MORE, IDLE);
  const opened = open(
    (id) => (id.startsWith('flood') ? new Promise((resolve) => ends.push(() => resolve(results()))) : inOrder(IDLE)()),
    slotsOfTenant,
  );
  const endTurns = async (): Promise<void> => {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  };
  return { ...opened, endTurns };
}

test('a tenant without a free slot waits, and another does not', async () => {
  const { calls, advancer } = openSlowly(2);
  const flood = ['flood-1', 'flood-2', 'flood-3', 'flood-4'].map((id) => advancer.advance(id));
  await Promise.all(flood.slice(2));
  await advancer.advance('quiet-1');
  expect(calls).toEqual(['run flood-1', 'run flood-2', 'run quiet-1']);
});

test('a slot goes from one cluster of a tenant to the next without a task; a busy one has one turn', async () => {
  const { calls, advancer, endTurns } = openSlowly(2);
  const flood = ['flood-1', 'flood-2', 'flood-3', 'flood-4'].map((id) => advancer.advance(id));
  await Promise.all(flood.slice(2));
  for (let i = 0; i < 3; i++) await endTurns();
  await Promise.all(flood);
  const turns = [1, 2, 3, 4, 1, 2].map((cluster) => `run flood-${cluster}`);
  expect(calls).toEqual(turns);
});

test('after a while a task leaves those that wait to the queue', async () => {
  const { calls, clock, advancer } = open(async () => {
    await new Promise(setImmediate);
    clock.ms += 200;
    return IDLE;
  }, 1);
  await Promise.all(['a-1', 'a-2', 'a-3', 'a-4'].map((id) => advancer.advance(id)));
  expect(calls).toEqual(['run a-1', 'run a-2', 'add a-3']);
});

test('a task whose lock is lost leaves those that wait to the queue', async () => {
  const lock = new AbortController();
  const { calls, advancer } = open(async () => {
    await new Promise(setImmediate);
    lock.abort();
    return IDLE;
  }, 1);
  await Promise.all([advancer.advance('a-1', lock.signal), advancer.advance('a-2')]);
  expect(calls).toEqual(['run a-1', 'add a-2']);
});

test('an error of a cluster that a slot was passed on to is told, and the next one has its turn', async () => {
  const { calls, advancer } = open(async (id) => {
    await new Promise(setImmediate);
    if (id === 'a-2') throw new Error('the store does not answer');
    return IDLE;
  }, 1);
  await Promise.all(['a-1', 'a-2', 'a-3'].map((id) => advancer.advance(id)));
  expect(calls).toEqual(['run a-1', 'run a-2', 'a-2: the store does not answer', 'run a-3']);
});

test('an error gives the slot back', async () => {
  const { calls, advancer } = open(async () => {
    throw new Error('the store does not answer');
  }, 1);
  await expect(advancer.advance('a-1')).rejects.toThrow('the store does not answer');
  await expect(advancer.advance('a-2')).rejects.toThrow('the store does not answer');
  expect(calls).toEqual(['run a-1', 'run a-2']);
});
