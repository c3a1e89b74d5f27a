import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a request takes two round trips longer', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(10);
  const before = bed.seconds('client', 'wget -qO- http://WEB', 'web');
  bed.fault('PacketDelay', { target: { pods: ['client'] }, parameters: { delay: '1s' } });
  expect(bed.at(11).seconds('client', 'wget -qO- http://WEB', 'web')).toBeGreaterThanOrEqual(before + 2);
});
