import { expect, test } from '@jest/globals';
import { LoopTurns } from './loop-turns.js';

const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one piece of work begins in each iteration of the event loop, tenants by turns', async () => {
  const turns = new LoopTurns({ waitOf: () => 0 });
  const begun: string[] = [];
  for (const tenant of ['flood', 'flood', 'flood', 'flood', 'neighbour'])
    void turns.next(tenant).then(() => begun.push(tenant));
  const seen: string[][] = [];
  for (let i = 0; i < 5; i++) {
    await iteration();
    seen.push([...begun]);
  }
  expect(seen.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5]);
  expect(seen[1]).toEqual(['flood', 'neighbour']);
});

test('a tenant that has used its share of the thread waits, and others go on', async () => {
  let wait = 1;
  const turns = new LoopTurns({ waitOf: (tenant) => (tenant === 'flood' ? wait : 0) });
  const begun: string[] = [];
  const flood = turns.next('flood').then(() => begun.push('flood'));
  await turns.next('neighbour').then(() => begun.push('neighbour'));
  expect(begun).toEqual(['neighbour']);
  wait = 0;
  await flood;
  expect(begun).toEqual(['neighbour', 'flood']);
});
