import { describe, expect, test } from '@jest/globals';
import type { Node, NodeSelectorTerm, PodSpec, Taint, Toleration } from '../api/core_v1.js';
import { isTaintTolerated, matchesRequiredNodeAffinity } from './node-affinity.js';

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

describe('a taint is tolerated', () => {
  const taint: Taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  test.each<[string, Toleration[] | undefined, boolean]>([
    ['by none', undefined, false],
    ['by its value', [{ key: 'k', value: 'v' }], true],
    ['by its key', [{ key: 'k', operator: 'Exists' }], true],
    ['by anything', [{ operator: 'Exists' }], true],
    ['not by another value', [{ key: 'k', value: 'w' }], false],
    ['not by another key', [{ key: 'l', operator: 'Exists' }], false],
    ['not for another effect', [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }], false],
    ['not by an empty key with a value', [{ value: 'v' }], false],
    ['by one of several', [{ key: 'l' }, { key: 'k', value: 'v', effect: 'NoSchedule' }], true],
  ])('%s', (_, tolerations, expected) => expect(isTaintTolerated(taint, tolerations)).toBe(expected));
});
