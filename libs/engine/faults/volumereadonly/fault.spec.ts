import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/fault-bed.js';

test('a container that is started meanwhile cannot write', () => {
  const bed = new FaultBed();
  bed.claim('data');
  const container = {
    image: 'busybox:1.36',
    command: ['sleep', '9999'],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  bed.fault('VolumeReadOnly', { target: { claims: ['data'] } });
  bed.at(1).pod('db', container, bed.mounting('data'));
  expect(bed.at(30).exec('db', 'echo a > /data/a')).toContain('Read-only file system');
  bed.end().at(31).pod('next', container, bed.mounting('data'));
  expect(bed.at(60).exec('next', 'echo a > /data/a && cat /data/a')).toBe('a\n');
});
