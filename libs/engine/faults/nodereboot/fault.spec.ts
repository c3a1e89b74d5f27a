import { expect, test } from '@jest/globals';
import { Faults, Pods } from '../../kinds/index.js';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('its containers are found dead when it has booted', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('NodeReboot', { target: { nodes: ['worker-1'] }, parameters: { takes: '30s' } });
  expect(bed.at(30).state('web')).toBe('Running 0');
  expect(bed.at(60).state('web')).toBe('Running 1');
  expect(bed.last('web')).toEqual({ reason: 'Unknown', exitCode: 255 });
  // containerd says so when it comes up: that is the end that it knows.
  const { terminated } = bed.get(Pods, 'web').status.containerStatuses![0]!.lastState!;
  const booted = Date.parse(bed.get(Faults, 'f').status.endTime!);
  expect(Math.abs(Date.parse(terminated!.finishedAt!) - booted)).toBeLessThan(1_000);
  expect(bed.events('worker-1')).toContainEqual(expect.stringMatching(/^NodeAllocatableEnforced: /));
  expect(bed.ready('worker-1')).toBe('True');
  expect(bed.phase()).toBe('Finished');
});

test('and say nothing between', () => {
  const bed = new FaultBed();
  const command = ['sh', '-c', 'while true; do date +%s; sleep 2; done'];
  bed.pod('clock', { image: 'busybox:1.36', command }, { nodeName: 'worker-1' });
  bed.at(10).fault('NodeReboot', { target: { nodes: ['worker-1'] }, parameters: { takes: '30s' } });
  bed.at(60);
  const lines = bed.log('clock', 'previous=true').map(Number);
  expect(lines.at(-1)! - lines[0]!).toBeGreaterThan(5);
  expect(lines.at(-1)! - lines[0]!).toBeLessThan(12);
});

test('its pods begin anew in another sandbox, what initializes them too', () => {
  const bed = new FaultBed();
  const initContainers = [{ name: 'i', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 5'] }];
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1', initContainers });
  bed.pod('once', { image: 'nginx:1.27' }, { nodeName: 'worker-1', restartPolicy: 'Never' });
  bed.at(20).fault('NodeReboot', { target: { nodes: ['worker-1'] }, parameters: { takes: '30s' } });
  const { podIP } = bed.get(Pods, 'web').status;
  expect(podIP).toBeDefined();
  const { containerStatuses, initContainerStatuses, phase } = bed.at(53).get(Pods, 'web').status;
  expect(containerStatuses![0]!.state!.terminated).toMatchObject({ reason: 'Unknown', exitCode: 255 });
  expect([phase, initContainerStatuses![0]!.restartCount]).toEqual(['Pending', 1]);
  expect(bed.at(70).state('web')).toBe('Running 1');
  expect(bed.get(Pods, 'web').status.podIP).toBeDefined();
  expect(bed.events('web')).toContain('SandboxChanged: Pod sandbox changed, it will be killed and re-created.');
  expect(bed.get(Pods, 'once').status.phase).toBe('Failed');
  expect(bed.events('once')).not.toContainEqual(expect.stringMatching(/^SandboxChanged/));
});

test('nobody kills what has died with the power', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('NodeReboot', { target: { nodes: ['worker-1'] }, parameters: { takes: '30s' } });
  bed.at(20).client.delete(Pods, { namespace: 'default', name: 'web' });
  bed.at(60);
  expect(bed.client.get(Pods, { namespace: 'default', name: 'web' })).toBeUndefined();
  expect(bed.events('web')).not.toContainEqual(expect.stringMatching(/^Killing/));
});

test('with the control plane goes its API server, and what would tell of that', () => {
  const bed = new FaultBed();
  bed.at(10).fault('NodeReboot', { target: { nodes: ['control-plane'] }, parameters: { takes: '80s' } });
  expect(bed.at(70).request('/api/v1/nodes').body).toContain('connect: connection refused');
  expect(bed.at(100).request('/api/v1/nodes').status).toBe(200);
  expect(bed.ready('control-plane')).toBe('True');
  expect(bed.events('control-plane')).not.toContainEqual(expect.stringMatching(/^NodeNotReady/));
  const server = bed.client.get(Pods, { namespace: 'kube-system', name: 'kube-apiserver-control-plane' });
  expect(server?.status.containerStatuses?.[0]?.restartCount).toBe(1);
});
