import { expect, test } from '@jest/globals';
import type { Toleration } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { nodeUnschedulable } from './node-unschedulable.js';

const SNAPSHOT = snapshotOf([makeNode('open'), makeNode('cordoned', { spec: { unschedulable: true } })]);
const KEY = 'node.kubernetes.io/unschedulable';

test.each<[string, Toleration[] | undefined, unknown]>([
  ['nothing', undefined, { cordoned: '!node(s) were unschedulable' }],
  ['another taint', [{ key: 'gpu', operator: 'Exists' }], { cordoned: '!node(s) were unschedulable' }],
  [
    'the taint with another effect',
    [{ key: KEY, operator: 'Exists', effect: 'NoExecute' }],
    { cordoned: '!node(s) were unschedulable' },
  ],
  ['the taint', [{ key: KEY, operator: 'Exists', effect: 'NoSchedule' }], 'Skip'],
  ['every taint', [{ operator: 'Exists' }], 'Skip'],
])('a pod that tolerates %s', (_, tolerations, expected) =>
  expect(filterNodes(nodeUnschedulable, makePod({ tolerations }), SNAPSHOT)).toEqual(expected),
);
