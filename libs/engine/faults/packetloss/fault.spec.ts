import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('nothing gets through, then everything does', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(10);
  bed.fault('PacketLoss', { target: { pods: ['client'], to: { pods: ['web'] } }, duration: '1m' });
  expect(bed.at(11).exec('client', 'wget -T 3 -qO- http://WEB', 'web')).toContain('download timed out');
  expect(bed.trace('client', 'web', 80)).toBe('Dropped');
  expect(bed.at(100).trace('client', 'web', 80)).toBe('Delivered');
});

test('a link that loses some packets delivers late', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(10);
  bed.fault('PacketLoss', { target: { pods: ['client'] }, parameters: { percent: 30 }, seed: 4 });
  const taken = Array.from({ length: 8 }, () => bed.at(11).seconds('client', 'wget -T 60 -qO- http://WEB', 'web'));
  expect(taken.some((seconds) => seconds >= 1)).toBe(true);
});
