import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a command that reads a file of the volume takes longer, until that is over', () => {
  const bed = new FaultBed();
  const container = {
    image: 'busybox:1.36',
    command: ['sh', '-c', 'echo a > /data/a; sleep 9999'],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  bed.pod('db', container, { volumes: [{ name: 'data', emptyDir: {} }] });
  expect(bed.at(10).seconds('db', 'cat /data/a')).toBe(0);
  const parameters = { latency: '2s', path: '/data', calls: 'read' };
  bed.fault('VolumeSlow', { target: { pods: ['db'] }, duration: '1m', parameters });
  expect(bed.at(11).exec('db', 'cat /data/a')).toBe('a\n');
  expect(bed.seconds('db', 'cat /data/a')).toBeGreaterThanOrEqual(2);
  expect(bed.seconds('db', 'cat /etc/hostname')).toBe(0);
  expect(bed.at(75).seconds('db', 'cat /data/a')).toBe(0);
});
