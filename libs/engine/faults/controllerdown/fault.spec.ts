import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('one controller does nothing, the others work', () => {
  const bed = new FaultBed();
  bed.at(5).fault('ControllerDown', { target: { controllers: ['deployment'] }, duration: '1m' });
  bed.at(6).deployment('web');
  bed.pod('other', { image: 'nginx:1.27' });
  expect(bed.at(60).pods('web')).toHaveLength(0);
  expect(bed.state('other')).toBe('Running 0');
  expect(bed.at(70).pods('web')).toHaveLength(1);
});
