import { expect, test } from '@jest/globals';
import type { Node, Pod, Toleration } from '../../../api/core_v1.js';
import { node, pod } from '../testing.js';
import { checkPressure, pressureOf } from './pressure.js';

const withCondition = (status: string, reason: string): Node =>
  node({ conditions: [{ type: 'MemoryPressure', status, reason }] });
const SHORT = withCondition('True', 'KubeletHasInsufficientMemory');
const WELL = withCondition('False', 'KubeletHasSufficientMemory');
const BY_HAND = withCondition('True', 'Testing');

const podOf = (qosClass: string, spec: Partial<Pod['spec']> = {}): Pod => pod(spec, { qosClass });
const tolerating = (...tolerations: Toleration[]): Pod => podOf('BestEffort', { tolerations });
const KEY = 'node.kubernetes.io/memory-pressure';

test.each<[string, Node, boolean]>([
  ['that its kubelet found short of memory', SHORT, true],
  ['that is well', WELL, false],
  ['whose condition somebody else wrote', BY_HAND, false],
  ['that has not reported yet', node(), false],
])('a node %s', (_, one, isShort) => expect(pressureOf(one) !== undefined).toBe(isShort));

test.each<[string, Node, Pod, isTaken: boolean]>([
  ['of best effort', SHORT, podOf('BestEffort'), false],
  ['with requests', SHORT, podOf('Burstable'), true],
  ['of best effort, when it is well', WELL, podOf('BestEffort'), true],
  ['that is critical', SHORT, podOf('BestEffort', { priority: 2_000_000_000 }), true],
  ['that tolerates its taint', SHORT, tolerating({ key: KEY, operator: 'Exists', effect: 'NoSchedule' }), true],
  ['that tolerates it by its value', SHORT, tolerating({ key: KEY, value: '' }), true],
  ['that tolerates everything', SHORT, tolerating({ operator: 'Exists' }), true],
  ['that tolerates another taint', SHORT, tolerating({ key: 'other', operator: 'Exists' }), false],
  ['that tolerates another effect', SHORT, tolerating({ key: KEY, operator: 'Exists', effect: 'NoExecute' }), false],
])('a node takes a pod %s or not', (_, one, of, isTaken) =>
  expect(checkPressure(of, one)).toEqual(
    isTaken ? undefined : { reason: 'Evicted', message: 'The node had condition: [MemoryPressure]. ' },
  ),
);
