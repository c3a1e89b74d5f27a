import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import type { Job } from '../../../api/batch_v1.js';
import { Jobs, Pods } from '../../../kinds/index.js';

const FINALIZERS = ['example.com/keep'];
const WAITING_FOR_VOLUME = {
  containers: [{ name: 'c', image: 'nginx:1.27' }],
  volumes: [{ name: 'v', configMap: { name: 'none' } }],
};

test('a pod that is deleted before its container has started has failed', () => {
  const bed = new ClusterBed();
  bed.create(Pods, 'web', { spec: WAITING_FOR_VOLUME }, { finalizers: FINALIZERS });
  bed.at(1).client.delete(Pods, { namespace: 'default', name: 'web' });
  const { status } = bed.at(40).get(Pods, 'web');
  expect(status).toMatchObject({
    phase: 'Failed',
    containerStatuses: [
      {
        state: {
          terminated: {
            exitCode: 137,
            reason: 'ContainerStatusUnknown',
            message: 'The container could not be located when the pod was terminated',
          },
        },
      },
    ],
  });
  expect(bed.errors).toEqual([]);
});

test('a container that crashed before keeps its exit code', () => {
  const bed = new ClusterBed();
  const containers = [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] }];
  bed.create(Pods, 'crash', { spec: { containers } }, { finalizers: FINALIZERS });
  expect(bed.at(60).get(Pods, 'crash').status.containerStatuses![0]!.state).toMatchObject({
    waiting: { reason: 'CrashLoopBackOff' },
  });
  bed.client.delete(Pods, { namespace: 'default', name: 'crash' });
  const { phase, containerStatuses } = bed.at(100).get(Pods, 'crash').status;
  expect([phase, containerStatuses![0]!.state!.terminated]).toMatchObject(['Failed', { exitCode: 3, reason: 'Error' }]);
});

test('a Job replaces such a pod when it only replaces pods that have failed', () => {
  const bed = new ClusterBed();
  const template = { spec: { ...WAITING_FOR_VOLUME, restartPolicy: 'Never' } };
  bed.create<Job>(Jobs, 'work', { spec: { podReplacementPolicy: 'Failed', template } });
  const [pod] = bed.at(1).client.list(Pods, 'default');
  bed.client.delete(Pods, { namespace: 'default', name: pod!.metadata.name! });
  expect(bed.at(60).get(Jobs, 'work').status).toMatchObject({ active: 1, failed: 1 });
  expect(bed.client.list(Pods, 'default').map((p) => p.metadata.uid)).not.toContain(pod!.metadata.uid);
});
