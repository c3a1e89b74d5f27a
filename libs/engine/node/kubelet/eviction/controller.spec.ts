import { beforeAll, expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import type { PodSpec } from '../../../api/core_v1.js';
import { Nodes, Pods } from '../../../kinds/index.js';

const bed = new ClusterBed('instant', 1);
const stress = (bytes: string): PodSpec['containers'] => [
  {
    name: 'c',
    image: 'polinux/stress',
    command: ['stress', '--vm', '1', '--vm-bytes', bytes, '--vm-hang', '0'],
  },
];
const worker = () => bed.get(Nodes, 'worker-1');
const pressure = () => worker().status.conditions?.find(({ type }) => type === 'MemoryPressure');

beforeAll(() => {
  bed.create(Pods, 'small', { spec: { containers: stress('1000M') } });
  bed.create(Pods, 'large', { spec: { containers: stress('6G') } });
  bed.create(Pods, 'idle', { spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
  bed.at(8);
});

test('nothing is evicted before the kubelet measures, nor what holds less than others', () => {
  expect(pressure()?.status).toBe('False');
  bed.create(Pods, 'last', { spec: { containers: stress('500M') } });
  bed.at(25);
  expect(bed.errors).toEqual([]);
  expect(['small', 'large', 'idle', 'last'].map((name) => bed.get(Pods, name).status.reason)).toEqual([
    undefined,
    'Evicted',
    undefined,
    undefined,
  ]);
});

test('the pod says why', () => {
  const { phase, message, conditions } = bed.get(Pods, 'large').status;
  expect(phase).toBe('Failed');
  expect(message).toMatch(
    /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: \w+\. Container c was using \w+, request is 0, has larger consumption of memory\. $/,
  );
  expect(conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
    status: 'True',
    reason: 'TerminationByKubelet',
    message,
  });
  expect(bed.events('large')).toContain(`Evicted: ${message}`);
});

test('the node says so, and takes no pods of best effort', () => {
  expect(pressure()).toMatchObject({ status: 'True', reason: 'KubeletHasInsufficientMemory' });
  expect(worker().spec.taints).toMatchObject([{ key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' }]);
  expect(bed.events('worker-1')).toEqual(
    expect.arrayContaining([
      'NodeHasInsufficientMemory: Node worker-1 status is now: NodeHasInsufficientMemory',
      'EvictionThresholdMet: Attempting to reclaim memory',
    ]),
  );
  bed.create(Pods, 'bound', { spec: { nodeName: 'worker-1', containers: [{ name: 'c', image: 'nginx:1.27' }] } });
  bed.at(28);
  expect(bed.get(Pods, 'bound').status).toMatchObject({
    phase: 'Failed',
    reason: 'Evicted',
    message: 'Pod was rejected: The node had condition: [MemoryPressure]. ',
  });
});

test('five minutes later it is well again', () => {
  bed.at(290);
  expect(pressure()?.status).toBe('True');
  bed.at(340);
  expect(pressure()).toMatchObject({ status: 'False', reason: 'KubeletHasSufficientMemory' });
  expect(worker().spec.taints).toBeUndefined();
  expect(bed.errors).toEqual([]);
});
