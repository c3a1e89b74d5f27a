import { expect, test } from '@jest/globals';
import type { Node, Pod, PodSpec, ResourceRequirements } from '../../../api/core_v1.js';
import { limitsOfNode, limitsOfPod, limitsOfSlice, printLimits } from './cgroup-limits.js';

const podOf = (containers: readonly ResourceRequirements[], more: Partial<PodSpec> = {}): Pod =>
  ({ spec: { containers: containers.map((resources) => ({ name: 'c', resources })), ...more } }) as unknown as Pod;
const HALF = { limits: { cpu: '500m', memory: '64Mi' } };

test.each<[string, Pod, object]>([
  ['nothing', podOf([{}]), { cpuShares: 2 }],
  ['limits stand for requests', podOf([HALF]), { cpuShares: 512, cpu: 500, memory: 67_108_864 }],
  ['containers together', podOf([HALF, HALF]), { cpuShares: 1_024, cpu: 1_000, memory: 134_217_728 }],
  ['one without a limit has all', podOf([HALF, { requests: { cpu: '1' } }]), { cpuShares: 1_536 }],
  [
    'what the pod itself says',
    podOf([{}], { resources: { requests: { cpu: '2' }, limits: { memory: '1Gi' } } }),
    { cpuShares: 2_048, memory: 1_073_741_824 },
  ],
])('limits of a pod: %s', (_name, pod, expected) => expect(limitsOfPod(pod)).toEqual(expected));

test('a QoS class has what its pods ask for', () => {
  expect(limitsOfSlice([podOf([HALF]), podOf([HALF, HALF])])).toEqual({ cpuShares: 1_536 });
  expect(limitsOfSlice([])).toEqual({ cpuShares: 2 });
});

test('all pods have what can be allocated', () => {
  const node = { status: { allocatable: { cpu: '4', memory: '8Gi' } } } as unknown as Node;
  expect(limitsOfNode(node)).toEqual({ cpuShares: 4_096, memory: 8_589_934_592 });
  expect(limitsOfNode(undefined)).toEqual({});
});

test.each<[object, string, string]>([
  [{}, 'cpu.max', 'max 100000'],
  [{ cpu: 250 }, 'cpu.max', '25000 100000'],
  [{}, 'cpu.weight', '100'],
  [{ cpuShares: 2 }, 'cpu.weight', '1'],
  [{ memory: 4_096 }, 'memory.max', '4096'],
  [{ pids: [7, 8] }, 'cgroup.procs', '7\n8'],
  [{ pids: [7] }, 'cgroup.subtree_control', ''],
])('a group of %j has %s: %s', (limits, file, text) => expect(printLimits(limits)[file]).toBe(text));
