import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

function newBed(): FaultBed {
  const bed = new FaultBed();
  const container = {
    image: 'busybox:1.36',
    command: ['sh', '-c', 'printf aaaaaaaa > /data/a; sleep 9999'],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  bed.pod('db', container, { volumes: [{ name: 'data', emptyDir: {} }] });
  return bed.at(10);
}
const MISTAKE = { filling: 'zero', length: 3, occurrences: 1, path: '/data' };

test('what is read has zeros in it, until that is over', () => {
  const bed = newBed();
  bed.fault('VolumeMistake', { target: { pods: ['db'] }, duration: '1m', parameters: { ...MISTAKE, calls: 'read' } });
  const read = bed.at(11).exec('db', "cat /data/a | tr '\\0' 0");
  expect(read).toMatch(/^a*0{1,3}a*$/);
  expect(read).toHaveLength(8);
  expect(bed.at(75).exec('db', 'cat /data/a')).toBe('aaaaaaaa');
});

test('what is written wrong stays so', () => {
  const bed = newBed();
  bed.fault('VolumeMistake', { target: { pods: ['db'] }, duration: '1m', parameters: { ...MISTAKE, calls: 'write' } });
  expect(bed.at(11).exec('db', 'cat /data/a')).toBe('aaaaaaaa');
  bed.exec('db', 'printf bbbbbbbb > /data/b');
  expect(bed.at(75).exec('db', "cat /data/b | tr '\\0' 0")).toMatch(/^b*0{1,3}b*$/);
});
