import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the claim stays Pending, and has its volume later', () => {
  const bed = new FaultBed();
  bed.fault('VolumeProvisioningFailure', { duration: '1m' });
  bed.at(1).claim('data');
  bed.pod('db', { image: 'nginx:1.27' }, bed.mounting('data'));
  expect(bed.at(30).claimPhase('data')).toBe('Pending');
  expect(bed.events('data')).toContainEqual(expect.stringMatching(/^ProvisioningFailed: failed to provision volume/));
  expect(bed.at(90).claimPhase('data')).toBe('Bound');
});
