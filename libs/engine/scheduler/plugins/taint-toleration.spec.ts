import { describe, expect, test } from '@jest/globals';
import type { Taint, Toleration } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, scoreNodes, snapshotOf } from '../testing.js';
import { taintToleration, taintTolerationScore } from './taint-toleration.js';

const GPU: Taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' };

const tainted = (name: string, ...taints: Taint[]): ReturnType<typeof makeNode> => makeNode(name, { spec: { taints } });
const preferNot = (key: string): Taint => ({ key, effect: 'PreferNoSchedule' });

test.each<[string, Toleration[] | undefined, unknown]>([
  ['nothing', undefined, { gpu: '!node(s) had untolerated taint(s)', full: '!node(s) had untolerated taint(s)' }],
  ['one taint', [{ key: 'gpu', operator: 'Exists' }], { full: '!node(s) had untolerated taint(s)' }],
  ['every taint', [{ operator: 'Exists' }], {}],
])('a pod that tolerates %s', (_, tolerations, expected) =>
  expect(
    filterNodes(
      taintToleration,
      makePod({ tolerations }),
      snapshotOf([
        makeNode('plain'),
        tainted('soft', preferNot('a')),
        tainted('gpu', GPU),
        tainted('full', GPU, { key: 'disk', effect: 'NoExecute' }),
      ]),
    ),
  ).toEqual(expected),
);

describe('the score', () => {
  const nodes = [makeNode('plain'), tainted('one', preferNot('a')), tainted('two', preferNot('a'), preferNot('b'))];
  test.each<[string, Toleration[] | undefined, unknown]>([
    ['counts taints', undefined, { plain: 100, one: 50, two: 0 }],
    ['leaves out those that are tolerated', [{ key: 'a', operator: 'Exists' }], { plain: 100, one: 100, two: 0 }],
    [
      'ignores tolerations of other effects',
      [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
      { plain: 100, one: 50, two: 0 },
    ],
    ['is the same when all are tolerated', [{ operator: 'Exists' }], { plain: 100, one: 100, two: 100 }],
  ])('%s', (_, tolerations, expected) =>
    expect(scoreNodes(taintTolerationScore, makePod({ tolerations }), snapshotOf(nodes))).toEqual(expected),
  );
  test('is skipped without such taints', () =>
    expect(scoreNodes(taintTolerationScore, makePod(), snapshotOf([makeNode('plain'), tainted('gpu', GPU)]))).toBe(
      'Skip',
    ));
});
