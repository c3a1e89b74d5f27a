import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a short connection takes as long as its packets need', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(10);
  bed.fault('Bandwidth', { target: { pods: ['client'] }, parameters: { bytesPerSecond: 3_000 } });
  expect(bed.at(11).seconds('client', 'wget -qO- http://WEB', 'web')).toBeGreaterThanOrEqual(5);
});
