import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('containers cannot write, whether they were started before or meanwhile', () => {
  const bed = new FaultBed();
  bed.claim('data');
  const container = {
    image: 'busybox:1.36',
    command: ['sleep', '9999'],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  bed.pod('early', container, bed.mounting('data'));
  expect(bed.at(10).exec('early', 'echo b > /data/b && grep -c "/data ext4 rw" /proc/mounts')).toBe('1\n');
  bed.fault('VolumeReadOnly', { target: { claims: ['data'] } });
  bed.at(11).pod('db', container, bed.mounting('data'));
  expect(bed.at(30).exec('early', 'cat /data/b; grep -c "/data ext4 ro" /proc/mounts; rm /data/b')).toBe(
    "b\n1\nrm: can't remove '/data/b': Read-only file system\n",
  );
  expect(bed.exec('db', 'echo a > /data/a')).toContain('Read-only file system');
  bed.end().at(31).pod('next', container, bed.mounting('data'));
  expect(bed.at(60).exec('next', 'echo a > /data/a && cat /data/a')).toBe('a\n');
});
