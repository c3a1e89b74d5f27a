import { expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { FlowStream } from './flow-stream.js';

type Flow = nouns.FlowReading['flows'][number];
const flow = (id: string, fields: Partial<Flow> = {}): Flow => ({
  ...{ id, startedAt: '2026-01-01T00:00:00.000000Z', from: 'pod/a/b', to: 'pod/a/c', address: '10.0.0.1', port: 80 },
  ...{ protocol: 'TCP', verdict: 'Delivered', decided: '', bytesSent: 1, bytesReceived: 0, nodes: ['n'], ...fields },
});

/** A stream of these readings, one after the other. */
function streamOf(readings: readonly Flow[][]): { stream: FlowStream; limits: number[]; closed: () => number } {
  const rest = [...readings];
  const limits: number[] = [];
  let closed = 0;
  const read = async (limit: number): Promise<nouns.FlowReading> => {
    limits.push(limit);
    return { at: '', flows: rest.shift() ?? [], left: 0 };
  };
  return { stream: new FlowStream(read, () => closed++, 0), limits, closed: () => closed };
}

const idsOf = ({ value }: IteratorResult<nouns.FlowReading>): string[] =>
  (value as nouns.FlowReading).flows.map(({ id }) => id);

test('tells all at first, then what is new', async () => {
  const { stream, limits } = streamOf([
    [flow('1'), flow('2')],
    [flow('1'), flow('2')],
    [flow('1'), flow('2', { bytesSent: 2 }), flow('3')],
    [flow('1', { endedAt: 'x' })],
  ]);
  expect(idsOf(await stream.next())).toEqual(['1', '2']);
  expect(idsOf(await stream.next())).toEqual(['2', '3']);
  expect(idsOf(await stream.next())).toEqual(['1']);
  expect(limits).toEqual([100, 100, 100, 100]);
});

test('an empty cluster is told once; who leaves ends the readings', async () => {
  const { stream, limits, closed } = streamOf([[]]);
  expect(idsOf(await stream.next())).toEqual([]);
  const waiting = stream.next();
  await stream.return();
  await stream.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(limits.length).toBeLessThanOrEqual(2);
  expect(closed()).toBe(1);
});
