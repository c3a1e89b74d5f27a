import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Refusal } from '@terrarium/platform';
import { TableFeed, type TableSource } from './table-feed.js';
import type { Row } from './table-rows.js';
import type { TableBatch } from './types.js';

const INTERVAL = 20;
const tableOf = (names: readonly string[], resourceVersion: string) => ({
  metadata: { resourceVersion },
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
  rows: names.map((name) => ({ cells: [name], object: { metadata: { name } } })),
});
const line = (type: string, name: string, revision: number, cell = name): string =>
  `${JSON.stringify({
    type,
    object: {
      metadata: { resourceVersion: String(revision) },
      rows: [{ cells: [cell], object: { metadata: { name } } }],
    },
  })}\n`;

/** A source whose watches are driven by hand. */
function manualSource(lists: readonly (readonly string[])[]) {
  const state = { lists: 0, watches: [] as number[], failure: undefined as Refusal | undefined };
  let waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isEnded = false;
  const source: TableSource = {
    list: async () => {
      if (state.failure) throw state.failure;
      const names = lists[Math.min(state.lists++, lists.length - 1)]!;
      return { table: tableOf(names, String(state.lists * 100)), now: 1_000 };
    },
    watch: async (revision) => {
      state.watches.push(revision);
      isEnded = false;
      return {
        end: () => ((isEnded = true), wake?.()),
        async *[Symbol.asyncIterator]() {
          for (;;) {
            while (waiting.length > 0) yield waiting.shift()!;
            if (isEnded) return;
            await new Promise<void>((resolve) => (wake = resolve));
          }
        },
      };
    },
  };
  const send = (...lines: string[]): void => {
    waiting = [...waiting, ...lines];
    wake?.();
  };
  const endWatch = (): void => ((isEnded = true), wake?.());
  return { source, state, send, endWatch };
}

async function started(lists: readonly (readonly string[])[]) {
  const manual = manualSource(lists);
  const feed = new TableFeed(manual.source, INTERVAL, 1);
  await feed.start();
  await sleep(1);
  const batches: TableBatch[] = [];
  const failures: Refusal[] = [];
  feed.add({ batch: (batch) => batches.push(batch), failed: (refusal) => failures.push(refusal) });
  return { ...manual, feed, batches, failures };
}
const cellsOf = ({ rows }: TableBatch): unknown[] => (rows as readonly Row[]).map(({ cells }) => cells[0]);

test('all rows are one batch until they change', async () => {
  const { feed, send, state } = await started([['a', 'b']]);
  const all = feed.all();
  expect([cellsOf(all), all.reset, all.revision, all.columns?.length]).toEqual([['a', 'b'], true, 100, 1]);
  expect([feed.all(), all.now]).toEqual([all, 1_000]);
  expect(state.watches).toEqual([100]);
  send(line('ADDED', 'c', 101));
  await sleep(2 * INTERVAL);
  expect(cellsOf(feed.all())).toEqual(['a', 'b', 'c']);
  feed.stop();
});

test('of a row only the newest state is told, in few batches', async () => {
  const { feed, send, batches } = await started([['a']]);
  send(line('MODIFIED', 'a', 101, 'first'));
  await sleep(5);
  expect(batches.map(cellsOf)).toEqual([['first']]);
  for (let i = 0; i < 100; i++) send(line('MODIFIED', 'a', 102 + i, `a${i}`));
  send(line('ADDED', 'b', 300) + line('DELETED', 'b', 301));
  await sleep(3 * INTERVAL);
  expect(batches.slice(1).map((batch) => [cellsOf(batch), batch.removed, batch.revision])).toEqual([
    [['a99'], ['/b'], 301],
  ]);
  feed.stop();
});

test('a watch that ends goes on where it was', async () => {
  const { feed, send, endWatch, state, batches } = await started([['a']]);
  send(line('MODIFIED', 'a', 150));
  await sleep(INTERVAL);
  endWatch();
  await sleep(INTERVAL);
  expect([state.watches, state.lists]).toEqual([[100, 150], 1]);
  expect(batches).toHaveLength(1);
  feed.stop();
});

test('after a gap everybody gets all rows', async () => {
  const { feed, send, state, batches } = await started([['a'], ['b', 'c']]);
  send(`${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`);
  await sleep(INTERVAL);
  expect(batches.map((batch) => [batch.reset, cellsOf(batch)])).toEqual([[true, ['b', 'c']]]);
  expect(state.watches).toEqual([100, 200]);
  feed.stop();
});

test('listeners are told why it is over', async () => {
  const { feed, send, state, failures } = await started([['a']]);
  state.failure = new Refusal(404, 'there is no cluster');
  send(`${JSON.stringify({ type: 'ERROR', object: {} })}\n`);
  await sleep(INTERVAL);
  expect(failures).toEqual([state.failure]);
  feed.stop();
});
