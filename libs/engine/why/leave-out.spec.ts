import { describe, expect, test } from '@jest/globals';
import type { PastChange } from '../machinery/past-change.js';
import { leaveOut, type LeftOut } from './leave-out.js';

const change = (revision: number, actor: string, name = `web-${revision}`): PastChange => ({
  revision,
  at: 0,
  actor,
  cause: revision - 1,
  verb: 'create',
  resource: 'pods',
  namespace: 'shop',
  name,
  fields: [],
});
const run = (from: number, length: number, actor: (i: number) => string): PastChange[] =>
  Array.from({ length }, (_, i) => change(from + i, actor(i)));
const shownOf = (chain: readonly PastChange[]): (readonly [number, LeftOut])[] =>
  leaveOut(chain).map(({ change: { revision }, leftOut }) => [revision, leftOut]);

describe('what is left out of a chain', () => {
  const loop = run(2, 24, () => 'system:replicaset-controller');
  test.each<[string, PastChange[], (readonly [number, LeftOut])[]]>([
    ['nothing of none', [], []],
    [
      'nothing of two that are alike',
      [change(1, 'jane'), ...loop.slice(0, 2)],
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    ],
    [
      'the middle of a run',
      [change(1, 'jane'), ...loop, change(26, 'kubelet')],
      [
        [1, 0],
        [2, 0],
        [25, 22],
        [26, 0],
      ],
    ],
  ])('%s', (_, chain, expected) => {
    expect(shownOf(chain)).toEqual(expected);
  });

  test('the middle of a long chain without runs', () => {
    const shown = shownOf(run(1, 100, (i) => (i % 2 ? 'a' : 'b')));
    expect(shown).toHaveLength(32);
    expect([shown[0], shown[7], shown[8], shown.at(-1)]).toEqual([
      [1, 0],
      [8, 0],
      [77, 68],
      [100, 0],
    ]);
  });
});
