import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the kernel kills it', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.at(5).fault('ContainerOOM', { target: { pods: ['web'] }, parameters: { repeats: false }, duration: '10s' });
  expect(bed.at(20).state('web')).toBe('Running 1');
  expect(bed.last('web')).toEqual({ reason: 'OOMKilled', exitCode: 137 });
});
