import { describe, expect, test } from '@jest/globals';
import type { Taint, Toleration } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, scoreNodes, snapshotOf } from '../testing.js';
import { taintToleration, taintTolerationScore, tolerates } from './taint-toleration.js';

const GPU: Taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' };

describe('tolerates', () => {
  test.each<[string, Toleration, Taint, boolean]>([
    ['the value', { key: 'gpu', operator: 'Equal', value: 'a100' }, GPU, true],
    ['the value, by default', { key: 'gpu', value: 'a100' }, GPU, true],
    ['another value', { key: 'gpu', value: 'h100' }, GPU, false],
    ['no value', { key: 'gpu' }, { key: 'gpu', effect: 'NoSchedule' }, true],
    ['any value', { key: 'gpu', operator: 'Exists' }, GPU, true],
    ['another key', { key: 'cpu', operator: 'Exists' }, GPU, false],
    ['another effect', { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, GPU, false],
    ['every taint', { operator: 'Exists' }, GPU, true],
    ['every taint of an effect', { operator: 'Exists', effect: 'NoSchedule' }, GPU, true],
    [
      'a smaller number',
      { key: 'n', operator: 'Lt', value: '5' },
      { key: 'n', value: '4', effect: 'NoSchedule' },
      true,
    ],
    [
      'no smaller number',
      { key: 'n', operator: 'Lt', value: '5' },
      { key: 'n', value: '5', effect: 'NoSchedule' },
      false,
    ],
    ['a larger number', { key: 'n', operator: 'Gt', value: '5' }, { key: 'n', value: '6', effect: 'NoSchedule' }, true],
  ])('%s', (_, toleration, taint, expected) => expect(tolerates([toleration], taint)).toBe(expected));
  test('nothing without tolerations', () =>
    expect([tolerates(undefined, GPU), tolerates([], GPU)]).toEqual([false, false]));
  test('what one of several tolerates', () =>
    expect(tolerates([{ key: 'x', operator: 'Exists' }, { operator: 'Exists' }], GPU)).toBe(true));
});

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
