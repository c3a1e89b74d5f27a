import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

const container = (command: string): object => ({
  image: 'busybox:1.36',
  command: ['sh', '-c', command],
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
});

test('nothing can be added to a volume, by those who have mounted it before either', () => {
  const bed = new FaultBed();
  bed.claim('data');
  bed.pod('early', container('exec 3>/data/log; while sleep 5; do echo line >&3; done'), bed.mounting('data'));
  bed.at(12).fault('VolumeFull', { target: { claims: ['data'] }, duration: '30s' });
  bed.at(13).pod('late', container('sleep 9999'), bed.mounting('data'));
  expect(bed.at(20).exec('late', 'echo a > /data/a')).toContain('No space left on device');
  expect(bed.log('early')).toContainEqual(expect.stringContaining('No space left on device'));
  expect(bed.exec('late', 'cat /data/log; rm /data/log && echo gone')).toMatch(/^(line\n)+gone\n$/);
  expect(bed.at(60).exec('late', 'echo a > /data/a && cat /data/a')).toBe('a\n');
  expect(bed.state('early')).toBe('Running 0');
});
