import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

const STAT = 'grep -E "usage|throttled" /sys/fs/cgroup/cpu.stat';

test('the cgroup uses its limit and is throttled, and so it is measured', () => {
  const bed = new FaultBed();
  const resources = { limits: { cpu: '500m' } };
  bed.pod('web', { image: 'busybox:1.36', command: ['sleep', '9999'], resources });
  bed.pod('nginx', { image: 'nginx:1.27' });
  bed.at(10).fault('CPUStress', { target: { namespaces: ['default'] }, duration: '20s', parameters: { workers: 2 } });
  const read = (): Record<string, number> =>
    Object.fromEntries(
      bed
        .exec('web', STAT)
        .trim()
        .split('\n')
        .map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]),
    );
  bed.at(20);
  // Ten seconds of half a CPU, of which two were asked for.
  expect(read()['usage_usec']! / 1e6).toBeCloseTo(5, 0);
  expect(read()['nr_throttled']).toBeGreaterThanOrEqual(100);
  expect(read()['throttled_usec']! / 1e6).toBeCloseTo(7.5, 0);
  const seconds = (pod: string): number => {
    const { body } = bed.request(`/api/v1/nodes/${bed.nodeOf(pod)}/proxy/metrics/resource`);
    const found = new RegExp(`^container_cpu_usage_seconds_total\\{[^}]*pod="${pod}"[^}]*\\} (\\S+)`, 'm').exec(body);
    return Number(found?.[1]);
  };
  expect(seconds('nginx')).toBeCloseTo(20, 0);
  bed.at(40);
  expect(seconds('nginx')).toBeCloseTo(40, 0);
  expect(read()['usage_usec']! / 1e6).toBeCloseTo(10, 0);
});

test('its processes are seen in the container, and no longer when it is over', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(10).fault('CPUStress', { target: { pods: ['web'] }, duration: '20s', parameters: { workers: 2, load: 50 } });
  const processes = (): string[] =>
    bed
      .exec('web', 'ps -o comm,args')
      .split('\n')
      .filter((line) => /stress/.test(line));
  bed.at(20);
  expect(processes()).toEqual([
    expect.stringMatching(/^stress-ng +stress-ng --cpu 2 --cpu-load 50$/),
    expect.stringMatching(/^stress-ng-cpu +stress-ng --cpu 2/),
    expect.stringMatching(/^stress-ng-cpu +stress-ng --cpu 2/),
  ]);
  expect(bed.exec('web', 'cat /proc/31001/comm')).toBe('stress-ng-cpu\n');
  expect(bed.exec('web', 'top -b -n 1')).toContain('stress-ng');
  expect(bed.at(40).exec('web', 'ps')).not.toContain('stress');
});
