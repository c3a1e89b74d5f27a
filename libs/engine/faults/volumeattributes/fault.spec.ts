import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a file seems to be somebody else’s, until that is over', () => {
  const bed = new FaultBed();
  const container = {
    image: 'busybox:1.36',
    command: ['sh', '-c', 'echo a > /data/a; echo b > /data/b; sleep 9999'],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  bed.pod('db', container, { volumes: [{ name: 'data', emptyDir: {} }] });
  const look = (name: string): string => bed.exec('db', `stat -c '%a %u %g %s %F' /data/${name}`);
  expect(bed.at(10).exec('db', 'ls /data')).toBe('a\nb\n');
  expect(look('a')).toBe('644 0 0 2 regular file\n');
  const parameters = { mode: 0o110, user: 1_000, size: 7, path: '/data', below: '/data/a' };
  bed.fault('VolumeAttributes', { target: { pods: ['db'] }, duration: '1m', parameters });
  bed.at(11);
  expect(look('a')).toBe('110 1000 0 7 regular file\n');
  expect(look('b')).toBe('644 0 0 2 regular file\n');
  expect(bed.exec('db', 'cat /data/a')).toBe('a\n');
  bed.at(75);
  expect(look('a')).toBe('644 0 0 2 regular file\n');
});
