import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('each run ends when its memory is used up', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.at(5).fault('MemoryLeak', { target: { pods: ['web'] }, parameters: { after: '30s' } });
  expect(bed.at(30).state('web')).toBe('Running 0');
  expect(bed.at(40).last('web')).toEqual({ reason: 'OOMKilled', exitCode: 137 });
  expect(bed.at(100).state('web')).toMatch(/ 2$/);
});
