import { expect, test } from '@jest/globals';
import { ReportStream, type Report } from './report-stream.js';

const report = (score: number, revision: number): Report => ({ score, points: 4, revision, items: [] });

async function openStream(...reports: Report[]) {
  const calls = { change: (): void => undefined, end: (_error: Error): void => undefined, unsubscribed: 0 };
  const stream = await ReportStream.open({
    read: async () => reports.shift()!,
    async subscribe(onChange, onEnd) {
      Object.assign(calls, { change: onChange, end: onEnd });
      return () => void calls.unsubscribed++;
    },
  });
  return { stream, calls };
}

test('results are told when they are others', async () => {
  const { stream, calls } = await openStream(report(0, 1), report(0, 2), report(3, 3));
  expect((await stream.next()).value.score).toBe(0);
  const next = stream.next();
  calls.change();
  await new Promise((resolve) => setImmediate(resolve));
  calls.change();
  expect((await next).value).toEqual(report(3, 3));
});

test('who leaves is told nothing more', async () => {
  const { stream, calls } = await openStream(report(0, 1));
  await stream.next();
  const next = stream.next();
  await stream.return();
  expect([await next, calls.unsubscribed]).toEqual([{ done: true, value: undefined }, 1]);
});

test('an end is an error', async () => {
  const { stream, calls } = await openStream(report(0, 1));
  await stream.next();
  const next = stream.next();
  calls.end(new Error('the cluster has been deleted'));
  await expect(next).rejects.toThrow('the cluster has been deleted');
});
