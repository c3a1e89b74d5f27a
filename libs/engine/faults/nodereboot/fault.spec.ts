import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('its containers are found dead when it has booted', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('NodeReboot', { target: { nodes: ['worker-1'] }, parameters: { takes: '30s' } });
  expect(bed.at(30).state('web')).toBe('Running 0');
  expect(bed.at(60).state('web')).toBe('Running 1');
  expect(bed.last('web')).toEqual({ reason: 'Unknown', exitCode: 255 });
  expect(bed.ready('worker-1')).toBe('True');
  expect(bed.phase()).toBe('Finished');
});
