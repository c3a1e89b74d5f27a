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
