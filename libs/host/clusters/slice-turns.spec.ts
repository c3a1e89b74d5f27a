import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { SliceTurns, yieldAfter, type SliceOwner } from './slice-turns.js';

const LIMITS = { sliceMs: 5, loneSliceMs: 20 };

/** The thread's time, which passes only when a test says so, and while nothing runs. */
let now = 0;
let clock: NodeJS.Timeout;
const spin = (ms: number): void => void (now += ms);
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  clock = setInterval(() => spin(1), 1);
});
afterEach(() => {
  clearInterval(clock);
  jest.restoreAllMocks();
});

/** Runs slices of a cluster one after the other until `isOver`; notes each. */
async function runSlices(
  turns: SliceTurns,
  owner: SliceOwner,
  notes: string[],
  isOver: () => boolean,
  slice: () => void = () => spin(1),
): Promise<void> {
  while (!isOver())
    await turns.run(owner, () => {
      notes.push(owner.id);
      slice();
    });
}

test('slices run one after the other, and tenants take turns', async () => {
  const turns = new SliceTurns(LIMITS);
  const order: string[] = [];
  const run = (tenantId: string, id: string) => turns.run({ tenantId, id }, () => (spin(1), order.push(id)));
  const runs = [run('acme', 'a'), run('acme', 'b'), run('zoo', 'c')];
  expect(turns.size).toBe(2);
  await Promise.all(runs);
  expect([order, turns.size]).toEqual([['a', 'c', 'b'], 0]);
  await run('acme', 'd');
  expect(order).toContain('d');
});

test('a slice that throws gives its turn back', async () => {
  const turns = new SliceTurns(LIMITS);
  const broken = turns.run({ tenantId: 'acme', id: 'a' }, () => {
    throw new Error('broken');
  });
  const next = turns.run({ tenantId: 'acme', id: 'b' }, () => 'done');
  await expect(broken).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('a tenant of 30 busy clusters gets no more turns than a tenant of one', async () => {
  const turns = new SliceTurns(LIMITS);
  const notes: string[] = [];
  const isOver = (): boolean => notes.length >= 100;
  const many = Array.from({ length: 30 }, (_, i) =>
    runSlices(turns, { tenantId: 'flood', id: `flood-${i}` }, notes, isOver),
  );
  await Promise.all([...many, runSlices(turns, { tenantId: 'quiet', id: 'quiet' }, notes, isOver)]);
  const quiet = notes.slice(0, 100).filter((id) => id === 'quiet').length;
  expect(quiet).toBeGreaterThanOrEqual(50);
});

test('between two slices the event loop goes round', async () => {
  const turns = new SliceTurns(LIMITS);
  const notes: string[] = [];
  const isOver = (): boolean => notes.filter((note) => note !== 'loop').length >= 100;
  const goRound = (): void => {
    notes.push('loop');
    if (!isOver()) setImmediate(goRound);
  };
  setImmediate(goRound);
  await Promise.all(
    ['a', 'b', 'c'].map((id) => runSlices(turns, { tenantId: id, id }, notes, isOver, () => undefined)),
  );
  const bySlice = notes.slice(0, notes.lastIndexOf('loop')).join(' ').split('loop');
  expect(Math.max(...bySlice.map((slices) => slices.trim().split(' ').length))).toBe(1);
});

test.each([
  ['alone', 0, LIMITS.loneSliceMs],
  ['while another waits', 1, LIMITS.sliceMs],
])('a slice ends by time: %s', async (_, others, ms) => {
  const turns = new SliceTurns(LIMITS);
  const took: number[] = [];
  const run = (id: string) =>
    turns.run({ tenantId: others > 0 ? id : 'first', id }, (shouldYield) => {
      const started = now;
      while (!shouldYield()) spin(1);
      took.push(now - started);
    });
  const first = turns.run({ tenantId: 'first', id: 'first' }, () => undefined);
  const slices = Array.from({ length: 1 + others }, (__, i) => run(`c${i}`));
  await Promise.all([first, ...slices]);
  expect(took[0]).toBe(ms);
});

test('beside another tenant at work slices are short, and pauses follow them', async () => {
  const turns = new SliceTurns(LIMITS);
  const slice = (id: string, ms: number): Promise<number> =>
    turns.run({ tenantId: id, id }, (shouldYield) => {
      const started = now;
      while (now - started < ms && !shouldYield()) spin(1);
      return now - started;
    });
  expect(await slice('flood', 100)).toBe(LIMITS.loneSliceMs);
  expect(await slice('quiet', 1)).toBe(1);
  now += 1_000;
  expect(await slice('flood', 100)).toBe(LIMITS.sliceMs);
  // 40 ms that could not be interrupted are followed by 160 ms.
  await turns.run({ tenantId: 'flood', id: 'flood' }, () => spin(40));
  const ended = now;
  const next = slice('flood', 1);
  expect(await slice('quiet', 1)).toBe(1);
  expect(now).toBeLessThan(ended + 100);
  await next;
  expect(now).toBeGreaterThanOrEqual(ended + 160);
});

test('yieldAfter says true when the time is over', () => {
  const shouldYield = yieldAfter(3);
  expect(shouldYield()).toBe(false);
  spin(3);
  expect(shouldYield()).toBe(true);
});
