import { expect, test } from '@jest/globals';
import { LogStream, type LogSource } from './log-stream.js';

function manualSource() {
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isOver = false;
  const source: LogSource = {
    end: () => ((isOver = true), wake?.()),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (isOver) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
  return { source, send: (text: string) => (waiting.push(text), wake?.()), isEnded: () => isOver };
}
const line = (second: number, text: string): string => `2026-01-01T00:00:0${second}Z ${text}\n`;

test('logs are merged by time, and each says when it ends', async () => {
  let closed = 0;
  const stream = new LogStream(() => void closed++, 5);
  const [a, b] = [manualSource(), manualSource()];
  a.send(line(2, 'second') + line(3, 'third'));
  b.send(line(1, 'first'));
  stream.add(0, a.source);
  stream.add(1, b.source);
  stream.add(2, { reason: 'is waiting to start: ContainerCreating' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { value } = await stream.next();
  expect(value.lines.map(({ source, text }: { source: number; text: string }) => [source, text])).toEqual([
    [1, 'first'],
    [0, 'second'],
    [0, 'third'],
  ]);
  expect(value.ended).toEqual([{ source: 2, reason: 'is waiting to start: ContainerCreating' }]);
  a.source.end();
  expect((await stream.next()).value.ended).toEqual([{ source: 0, reason: '' }]);
  b.source.end();
  expect((await stream.next()).value.ended).toEqual([{ source: 1, reason: '' }]);
  expect([(await stream.next()).done, closed]).toEqual([true, 1]);
});

test('a reader that is slow hears how many lines it has missed', async () => {
  const stream = new LogStream(undefined, 0);
  const { source, send } = manualSource();
  for (let i = 0; i < 25; i++) send('x\n'.repeat(1_000));
  send('last\n');
  source.end();
  stream.add(0, source);
  await new Promise((resolve) => setTimeout(resolve, 20));
  let [lines, dropped, last] = [0, 0, ''];
  for await (const batch of stream) {
    expect(batch.lines.length).toBeLessThanOrEqual(2_000);
    lines += batch.lines.length;
    ({ dropped } = batch.dropped > 0 ? batch : { dropped });
    last = batch.lines.at(-1)?.text ?? last;
  }
  expect([lines, dropped, last]).toEqual([20_000, 5_001, 'last']);
});

test('who leaves ends the logs, and the wait', async () => {
  const stream = new LogStream();
  const { source, isEnded } = manualSource();
  stream.add(0, source);
  const waiting = stream.next();
  await stream.return();
  expect([await waiting, isEnded()]).toEqual([{ done: true, value: undefined }, true]);
});
