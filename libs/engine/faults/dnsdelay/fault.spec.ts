import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('an answer takes so much longer', () => {
  const bed = new FaultBed();
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(30).fault('DNSDelay', { target: { pods: ['client'] }, parameters: { delay: '2s' } });
  const command = 'nslookup kubernetes.default.svc.cluster.local';
  expect(bed.at(31).seconds('client', command)).toBeGreaterThanOrEqual(2);
});
