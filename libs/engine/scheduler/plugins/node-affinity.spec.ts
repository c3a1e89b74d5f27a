import { describe, expect, test } from '@jest/globals';
import type { NodeSelectorRequirement, PodSpec } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, scoreNodes, snapshotOf } from '../testing.js';
import { nodeAffinity, nodeAffinityScore } from './node-affinity.js';

const NODE = makeNode('n1', { labels: { disk: 'ssd', cores: '8' } });
const requirement = (key: string, operator: string, ...values: string[]): NodeSelectorRequirement => ({
  key,
  operator,
  ...(values.length ? { values } : {}),
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
