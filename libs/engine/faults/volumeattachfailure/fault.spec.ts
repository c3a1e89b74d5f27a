import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the pod waits for its volume', () => {
  const bed = new FaultBed();
  bed.fault('VolumeAttachFailure', { target: { claims: ['data'] }, duration: '1m' });
  bed.at(1).claim('data');
  bed.pod('db', { image: 'nginx:1.27', volumeMounts: [{ name: 'data', mountPath: '/data' }] }, bed.mounting('data'));
  expect(bed.at(30).state('db')).toMatch(/^(ContainerCreating|none) 0$/);
  expect(bed.events('db')).toContainEqual(
    expect.stringMatching(/^FailedAttachVolume: AttachVolume.Attach failed for volume/),
  );
  expect(bed.at(300).state('db')).toBe('Running 0');
});
