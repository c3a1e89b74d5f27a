import { expect, test } from '@jest/globals';
import type { Pod, PodSpec } from '../../../api/core_v1.js';
import { container, node, pod, readerOf, STAMP } from '../testing.js';
import { admitPod } from './predicate.js';

const worker = node(
  { allocatable: { cpu: '2', memory: '1Gi' } },
  { metadata: { name: 'worker-1', labels: { disk: 'ssd' } } },
);
const requesting = (cpu: string, more: Partial<PodSpec> = {}): Partial<PodSpec> => ({
  containers: [container('c', { resources: { requests: { cpu } } })],
  ...more,
});
const other = (cpu: string, more: Partial<Pod['metadata']> = {}, phase = 'Running', spec: Partial<PodSpec> = {}): Pod =>
  pod(requesting(cpu, spec), { phase, startTime: STAMP }, { name: 'other', uid: 'u2', ...more });
const onPort = (hostPort: number, status: Pod['status'] = {}, uid = 'u1'): Pod =>
  pod({ containers: [container('c', { ports: [{ containerPort: 80, hostPort }] })] }, status, { uid });
const ADMITTED: Pod['status'] = { phase: 'Running', startTime: STAMP };
const NODE_PORTS = "NodePorts: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";

const NODE_AFFINITY = "NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
const outOfCpu = (requested: number, used: number): string =>
  `OutOfcpu: Node didn't have enough resource: cpu, requested: ${requested}, used: ${used}, capacity: 2000`;

test.each<[string, Pod, Pod[], string | undefined]>([
  ['a pod without requests', pod(), [], undefined],
  ['a selector that matches', pod({ nodeSelector: { disk: 'ssd' } }), [], undefined],
  ['a selector that does not', pod({ nodeSelector: { disk: 'hdd' } }), [], NODE_AFFINITY],
  ['a pod that fits', pod(requesting('1')), [other('1')], undefined],
  ['a pod that does not fit', pod(requesting('1')), [other('1500m')], outOfCpu(1000, 1500)],
  ['a pod larger than the node', pod(requesting('3')), [], outOfCpu(3000, 0)],
  [
    'a pod that asks for more as a whole',
    pod(requesting('1', { resources: { requests: { cpu: '3' } } })),
    [],
    outOfCpu(3000, 0),
  ],
  [
    'what another pod has as a whole',
    pod(requesting('1')),
    [other('100m', {}, 'Running', { resources: { requests: { cpu: '1500m' } } })],
    outOfCpu(1000, 1500),
  ],
  [
    'pods that have ended need nothing',
    pod(requesting('2')),
    [other('2', {}, 'Succeeded'), other('2', {}, 'Failed')],
    undefined,
  ],
  [
    'pods of other nodes do not count',
    pod(requesting('2')),
    [other('2', {}, 'Running', { nodeName: 'worker-2' })],
    undefined,
  ],
  [
    'pods that have yet to be admitted need nothing',
    pod(requesting('2')),
    [pod(requesting('2'), { phase: 'Pending' }, { uid: 'u2' })],
    undefined,
  ],
  ['a host port that is free', onPort(80), [onPort(81, ADMITTED, 'u2')], undefined],
  ['a host port that is taken', onPort(80), [onPort(80, ADMITTED, 'u2')], NODE_PORTS],
  ['a host port of a pod that has ended', onPort(80), [onPort(80, { ...ADMITTED, phase: 'Failed' }, 'u2')], undefined],
  ['it does not count itself', pod(requesting('2')), [pod(requesting('2'))], undefined],
  [
    'memory in bytes',
    pod({ containers: [container('c', { resources: { requests: { memory: '2Gi' } } })] }),
    [],
    "OutOfmemory: Node didn't have enough resource: memory, requested: 2147483648, used: 0, capacity: 1073741824",
  ],
  [
    'what the scheduler has placed fits',
    pod(requesting('3'), { conditions: [{ type: 'PodScheduled', status: 'True' }] }),
    [],
    undefined,
  ],
  [
    'mirror pods are always admitted',
    pod(requesting('3'), {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    [],
    undefined,
  ],
])('%s', (_case, own, others, expected) => {
  const failure = admitPod(own, worker, readerOf(...others));
  expect(failure && `${failure.reason}: ${failure.message}`).toBe(expected);
});
