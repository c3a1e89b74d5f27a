import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the claim stays Pending, and has its volume later', () => {
  const bed = new FaultBed();
  bed.fault('VolumeProvisioningFailure', { duration: '1m' });
  bed.at(1).claim('data');
  bed.pod('db', { image: 'nginx:1.27' }, bed.mounting('data'));
  expect(bed.at(30).claimPhase('data')).toBe('Pending');
  expect(bed.events('data')).toContainEqual(expect.stringMatching(/^ProvisioningFailed: failed to provision volume/));
  // It is tried again after 15, 30 and 60 s.
  expect(bed.at(90).claimPhase('data')).toBe('Pending');
  expect(bed.at(120).claimPhase('data')).toBe('Bound');
});
