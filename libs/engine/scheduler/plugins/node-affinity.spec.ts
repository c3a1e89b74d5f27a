import { describe, expect, test } from '@jest/globals';
import type { NodeSelectorRequirement, PodSpec } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, scoreNodes, snapshotOf } from '../testing.js';
import { matchesNodeSelectorTerms, nodeAffinity, nodeAffinityScore } from './node-affinity.js';

const NODE = makeNode('n1', { labels: { disk: 'ssd', cores: '8' } });
const requirement = (key: string, operator: string, ...values: string[]): NodeSelectorRequirement => ({
  key,
  operator,
  ...(values.length ? { values } : {}),
});

describe('a term', () => {
  test.each<[NodeSelectorRequirement, boolean]>([
    [requirement('disk', 'In', 'hdd', 'ssd'), true],
    [requirement('disk', 'In', 'hdd'), false],
    [requirement('none', 'In', ''), false],
    [requirement('disk', 'NotIn', 'ssd'), false],
    [requirement('none', 'NotIn', 'ssd'), true],
    [requirement('disk', 'Exists'), true],
    [requirement('none', 'Exists'), false],
    [requirement('disk', 'DoesNotExist'), false],
    [requirement('none', 'DoesNotExist'), true],
    [requirement('cores', 'Gt', '7'), true],
    [requirement('cores', 'Gt', '8'), false],
    [requirement('cores', 'Lt', '9'), true],
    [requirement('none', 'Lt', '9'), false],
    [requirement('disk', 'Like', 'ssd'), false],
  ])('%j', (expression, expected) =>
    expect(matchesNodeSelectorTerms(NODE, [{ matchExpressions: [expression] }])).toBe(expected),
  );

  test.each<[string, object[], boolean]>([
    ['of a name', [{ matchFields: [requirement('metadata.name', 'In', 'n1')] }], true],
    ['of another name', [{ matchFields: [requirement('metadata.name', 'In', 'n2')] }], false],
    ['without requirements', [{}], false],
    [
      'needs all its requirements',
      [{ matchExpressions: [requirement('disk', 'Exists'), requirement('none', 'Exists')] }],
      false,
    ],
    ['is one of several', [{}, { matchExpressions: [requirement('disk', 'Exists')] }], true],
  ])('%s', (_, terms, expected) => expect(matchesNodeSelectorTerms(NODE, terms)).toBe(expected));
});

const required = (...terms: NodeSelectorRequirement[]): PodSpec['affinity'] => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms.map((t) => ({ matchExpressions: [t] })),
    },
  },
});
const REJECTED = "!node(s) didn't match Pod's node affinity/selector";
test.each<[string, Partial<PodSpec>, unknown]>([
  ['without either', {}, 'Skip'],
  ['with a selector', { nodeSelector: { disk: 'ssd' } }, { n2: REJECTED, n3: REJECTED }],
  ['with an affinity', { affinity: required(requirement('zone', 'Exists')) }, { n1: REJECTED, n2: REJECTED }],
  [
    'with alternatives',
    { affinity: required(requirement('zone', 'Exists'), requirement('disk', 'In', 'hdd')) },
    { n1: REJECTED },
  ],
  [
    'with both',
    { nodeSelector: { disk: 'ssd' }, affinity: required(requirement('zone', 'Exists')) },
    { n1: REJECTED, n2: REJECTED, n3: REJECTED },
  ],
])('a pod %s', (_, spec, expected) =>
  expect(
    filterNodes(
      nodeAffinity,
      makePod(spec),
      snapshotOf([NODE, makeNode('n2', { labels: { disk: 'hdd' } }), makeNode('n3', { labels: { zone: 'a' } })]),
    ),
  ).toEqual(expected),
);

describe('the score', () => {
  const nodes = [NODE, makeNode('n2', { labels: { disk: 'hdd', zone: 'a' } }), makeNode('n3')];
  test('is the sum of the weights of the preferred terms', () => {
    const prefer = (weight: number, expression: NodeSelectorRequirement): object => ({
      weight,
      preference: { matchExpressions: [expression] },
    });
    const affinity = {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          prefer(10, requirement('disk', 'Exists')),
          prefer(30, requirement('zone', 'Exists')),
        ],
      },
    };
    expect(scoreNodes(nodeAffinityScore, makePod({ affinity } as Partial<PodSpec>), snapshotOf(nodes))).toEqual({
      n1: 25,
      n2: 100,
      n3: 0,
    });
  });
  test('is skipped without preferred terms', () =>
    expect(scoreNodes(nodeAffinityScore, makePod(), snapshotOf(nodes))).toBe('Skip'));
});
