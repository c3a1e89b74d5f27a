import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

const container = {
  image: 'busybox:1.36',
  command: ['sh', '-c', 'exec 3>>/data/log; while sleep 5; do echo line >&3 || exit 3; done'],
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
};

test('a program that has a file open fails when its disk does, and goes on when that is over', () => {
  const bed = new FaultBed();
  bed.claim('data');
  bed.pod('db', container, bed.mounting('data'));
  expect(bed.at(21).exec('db', 'wc -l < /data/log')).toMatch(/^[34]\n$/);
  bed.fault('VolumeIOError', { target: { claims: ['data'] }, duration: '30s' });
  expect(bed.at(22).exec('db', 'cat /data/log; ls /data; echo a > /data/a')).toMatch(
    /^cat: .*Input\/output error\nls: .*Input\/output error\nsh: .*Input\/output error\n$/s,
  );
  expect(bed.at(30).last('db')).toEqual({ reason: 'Error', exitCode: 3 });
  expect(bed.at(90).exec('db', 'tail -n 1 /data/log')).toBe('line\n');
});

test('of what is mounted at a path, writes alone, now and then', () => {
  const bed = new FaultBed();
  bed.pod('db', container, { volumes: [{ name: 'data', emptyDir: {} }] });
  const parameters = { path: '/data', calls: 'write', error: 'ENOSPC', percent: 50 };
  bed.at(10).fault('VolumeIOError', { target: { pods: ['db'] }, parameters });
  const words = bed.at(11).exec('db', 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i >> /data/n; done; ls /data');
  const failed = words.split('\n').filter((line) => line.includes('No space left on device')).length;
  expect(failed).toBeGreaterThan(0);
  expect(failed).toBeLessThan(12);
  expect(words).toContain('log');
});
