import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('TCP shows nothing of it', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(10);
  bed.fault('PacketDuplication', { target: { pods: ['client'] } });
  expect(bed.at(11).exec('client', 'wget -qO- http://WEB', 'web')).toContain('Welcome to nginx!');
});
