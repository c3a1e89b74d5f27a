import { expect, test } from '@jest/globals';
import { Faults, Pods } from '../../kinds/index.js';
import { leakedBytes } from '../../node/kubelet/container/process-faults.js';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('each run ends when its memory is used up', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.at(5).fault('MemoryLeak', { target: { pods: ['web'] }, parameters: { after: '30s' } });
  expect(bed.at(30).state('web')).toBe('Running 0');
  expect(bed.at(40).last('web')).toEqual({ reason: 'OOMKilled', exitCode: 137 });
  expect(bed.at(100).state('web')).toMatch(/ 2$/);
});

test('something may compute meanwhile, and the memory that is lost grows', () => {
  const bed = new FaultBed();
  const resources = { limits: { memory: '64Mi', cpu: '500m' } };
  bed.pod('web', { image: 'nginx:1.27', resources });
  const parameters = { after: '40s', workers: 2, load: 50 };
  bed.at(5).fault('MemoryLeak', { target: { pods: ['web'] }, parameters });
  bed.at(6);
  expect(bed.get(Faults, 'f').status.effects).toMatchObject([
    { does: 'process', act: 'leak', afterMs: 40_000 },
    { does: 'stress', workers: 2, cpu: 1_000 },
  ]);
  const pod = bed.at(25).get(Pods, 'web');
  const { state } = bed.cluster;
  const startedAt = Date.parse(pod.status.containerStatuses![0]!.state!.running!.startedAt!);
  const lost = leakedBytes(state, pod, pod.spec.containers[0]!, startedAt, state.now);
  expect(lost).toBe(32 * 2 ** 20);
});
