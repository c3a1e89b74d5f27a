import { describe, expect, test } from '@jest/globals';
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../api/core_v1.js';
import { matchesNodeSelectorTerms, matchesRequiredNodeAffinity } from './node-affinity.js';

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a', labels: { zone: 'west', cores: '8' } },
  spec: {},
  status: {},
};
const withTerms = (...nodeSelectorTerms: NodeSelectorTerm[]): PodSpec => ({
  containers: [],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const expression = (key: string, operator: string, ...values: string[]): PodSpec =>
  withTerms({ matchExpressions: [{ key, operator, values }] });

describe('a pod may run on a node', () => {
  test.each<[string, PodSpec, boolean]>([
    ['without demands', { containers: [] }, true],
    ['with its labels', { containers: [], nodeSelector: { zone: 'west' } }, true],
    ['with other labels', { containers: [], nodeSelector: { zone: 'west', disk: 'ssd' } }, false],
    ['In', expression('zone', 'In', 'east', 'west'), true],
    ['In others', expression('zone', 'In', 'east'), false],
    ['NotIn', expression('zone', 'NotIn', 'west'), false],
    ['NotIn without the label', expression('disk', 'NotIn', 'ssd'), true],
    ['Exists', expression('zone', 'Exists'), true],
    ['DoesNotExist', expression('zone', 'DoesNotExist'), false],
    ['Gt', expression('cores', 'Gt', '7'), true],
    ['Lt', expression('cores', 'Lt', '8'), false],
    ['Gt what is no number', expression('zone', 'Gt', '1'), false],
    ['Lt a fraction', expression('cores', 'Lt', '9.5'), false],
    ['an operator that is none', expression('zone', 'Is', 'west'), false],
    [
      'any of its terms',
      withTerms({ matchFields: [] }, { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }),
      true,
    ],
    ['an empty term', withTerms({}), false],
    ['by its name', withTerms({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }), true],
    ['by another field', withTerms({ matchFields: [{ key: 'metadata.uid', operator: 'Exists' }] }), false],
  ])('%s', (_, spec, expected) => expect(matchesRequiredNodeAffinity(spec, node)).toBe(expected));
});

const SSD_NODE: Node = { ...node, metadata: { name: 'n1', labels: { disk: 'ssd', cores: '8' } } };
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
    expect(matchesNodeSelectorTerms(SSD_NODE, [{ matchExpressions: [expression] }])).toBe(expected),
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
  ])('%s', (_, terms, expected) => expect(matchesNodeSelectorTerms(SSD_NODE, terms)).toBe(expected));
});
