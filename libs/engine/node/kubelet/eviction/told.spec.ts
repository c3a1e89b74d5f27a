import { beforeAll, expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import type { PodSpec } from '../../../api/core_v1.js';
import { NodeRuntimes, Nodes, Pods } from '../../../kinds/index.js';
import { microTimestamp } from '../../../machinery/time/time.js';

/** A kubelet that was told thresholds of its own. */
const bed = new ClusterBed('instant', 1);
const shell = (script: string): PodSpec => ({
  terminationGracePeriodSeconds: 30,
  containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', `${script}; sleep 100000`] }],
});
const reasons = (...names: string[]): unknown[] => names.map((name) => bed.get(Pods, name).status.reason);
const pressure = (type: string): string | undefined =>
  bed.get(Nodes, 'worker-1').status.conditions?.find((c) => c.type === type)?.status;

beforeAll(() => {
  const service = { state: 'running', since: microTimestamp(bed.start), run: 'a' };
  bed.create(NodeRuntimes, 'worker-1', {
    kubelet: service,
    containerd: service,
    configuration: {
      evictionHard: { 'nodefs.available': '90Gi' },
      evictionSoft: { 'pid.available': '4194100' },
      evictionSoftGracePeriod: { 'pid.available': '40s' },
      evictionMaxPodGracePeriod: 3,
      evictionPressureTransitionPeriod: '30s',
    },
  });
  bed.create(Pods, 'writer', { spec: shell('fallocate -l 5G /big') });
  bed.create(Pods, 'idle', { spec: shell('true') });
  bed.at(25);
});

test('who has filled the disk is evicted, after unused images are gone', () => {
  expect(bed.errors).toEqual([]);
  expect(reasons('writer', 'idle')).toEqual(['Evicted', undefined]);
  expect(bed.get(Pods, 'writer').status.message).toMatch(
    /^The node was low on resource: ephemeral-storage\. Threshold quantity: 90Gi, available: \w+\. Container c was using 5Gi, request is 0, has larger consumption of ephemeral-storage\. $/,
  );
  expect(bed.events('worker-1')).toEqual(
    expect.arrayContaining([
      'NodeHasDiskPressure: Node worker-1 status is now: NodeHasDiskPressure',
      'EvictionThresholdMet: Attempting to reclaim ephemeral-storage',
    ]),
  );
  expect(bed.get(Nodes, 'worker-1').spec.taints?.map(({ key }) => key)).toEqual(['node.kubernetes.io/disk-pressure']);
});

test('the shortage is over after the time that the kubelet was told', () => {
  bed.at(70);
  expect(pressure('DiskPressure')).toBe('False');
});

test('a soft threshold waits for its time', () => {
  bed.create(Pods, 'many', { spec: shell('for i in $(seq 50); do sleep 100000 & done') });
  bed.at(95);
  expect([pressure('PIDPressure'), ...reasons('many', 'idle')]).toEqual(['True', undefined, undefined]);
  bed.at(135);
  expect(bed.errors).toEqual([]);
  expect(reasons('many', 'idle')).toEqual(['Evicted', undefined]);
  expect(bed.get(Pods, 'many').status.message).toMatch(
    /^The node was low on resource: pids\. Threshold quantity: 4194100, available: \d+\. $/,
  );
});
