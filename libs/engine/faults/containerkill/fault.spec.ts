import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('it is started anew at once', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('other', { image: 'nginx:1.27' });
  bed.at(5).fault('ContainerKill', { target: { pods: ['default/web'] }, duration: '1s' });
  expect(bed.at(10).state('web')).toBe('Running 1');
  expect(bed.last('web')).toEqual({ reason: 'Error', exitCode: 137 });
  expect(bed.state('other')).toBe('Running 0');
});
