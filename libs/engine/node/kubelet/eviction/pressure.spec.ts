import { expect, test } from '@jest/globals';
import type { Node, Pod, Toleration } from '../../../api/core_v1.js';
import { node, pod } from '../testing.js';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import { Faults, Nodes } from '../../../kinds/index.js';
import { checkPressure, pressureOf, pressuresOf } from './pressure.js';

const withCondition = (type: string, status: string, reason: string): Node =>
  node({ conditions: [{ type, status, reason }] });
const SHORT = withCondition('MemoryPressure', 'True', 'KubeletHasInsufficientMemory');
const FULL = withCondition('DiskPressure', 'True', 'KubeletHasDiskPressure');
const WELL = withCondition('MemoryPressure', 'False', 'KubeletHasSufficientMemory');
const BY_HAND = withCondition('MemoryPressure', 'True', 'Testing');
const BOTH = node({ conditions: [...SHORT.status.conditions!, ...FULL.status.conditions!] });

const podOf = (qosClass: string, spec: Partial<Pod['spec']> = {}): Pod => pod(spec, { qosClass });
const tolerating = (...tolerations: Toleration[]): Pod => podOf('BestEffort', { tolerations });
const KEY = 'node.kubernetes.io/memory-pressure';

test.each<[string, Node, boolean]>([
  ['that its kubelet found short of memory', SHORT, true],
  ['that is well', WELL, false],
  ['whose condition somebody else wrote', BY_HAND, false],
  ['that has not reported yet', node(), false],
  ['that is short of disk', FULL, false],
])('a node %s', (_, one, isShort) => expect(pressureOf(one, 'MemoryPressure') !== undefined).toBe(isShort));

test('a node may be short of several things', () =>
  expect(pressuresOf(BOTH)).toEqual(['MemoryPressure', 'DiskPressure']));

test.each<[string, Node, Pod, refused: string | undefined]>([
  ['of best effort', SHORT, podOf('BestEffort'), 'MemoryPressure'],
  ['with requests', SHORT, podOf('Burstable'), undefined],
  ['of best effort, when it is well', WELL, podOf('BestEffort'), undefined],
  ['that is critical', SHORT, podOf('BestEffort', { priority: 2_000_000_000 }), undefined],
  ['that tolerates its taint', SHORT, tolerating({ key: KEY, operator: 'Exists', effect: 'NoSchedule' }), undefined],
  ['that tolerates it by its value', SHORT, tolerating({ key: KEY, value: '' }), undefined],
  ['that tolerates everything', SHORT, tolerating({ operator: 'Exists' }), undefined],
  ['that tolerates another taint', SHORT, tolerating({ key: 'other', operator: 'Exists' }), 'MemoryPressure'],
  [
    'that tolerates another effect',
    SHORT,
    tolerating({ key: KEY, operator: 'Exists', effect: 'NoExecute' }),
    'MemoryPressure',
  ],
  ['with requests, when it is short of disk', FULL, podOf('Guaranteed'), 'DiskPressure'],
  ['with requests, when it is short of both', BOTH, podOf('Burstable'), 'MemoryPressure DiskPressure'],
])('a node takes a pod %s or not', (_, one, of, refused) =>
  expect(checkPressure(of, one)).toEqual(
    refused === undefined ? undefined : { reason: 'Evicted', message: `The node had condition: [${refused}]. ` },
  ),
);

test('a kubelet that is short of something writes all of its conditions at once', () => {
  const bed = new ClusterBed('instant', 1);
  bed.create(Faults, 'f', { spec: { type: 'MemoryPressure', target: { nodes: ['worker-1'] } } });
  bed.at(35);
  const beats = bed.get(Nodes, 'worker-1').status.conditions!.map(({ lastHeartbeatTime }) => lastHeartbeatTime);
  expect(beats).toHaveLength(4);
  expect(new Set(beats)).toEqual(new Set(['2026-01-01T00:01:30Z']));
});
