import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a request waits, and one that would wait too long times out', () => {
  const bed = new FaultBed();
  bed.fault('APIServerLatency', { parameters: { latency: '5s' } });
  expect(bed.at(1).waits('/api/v1/namespaces/default/pods')).toBe(true);
  bed.end().fault('APIServerLatency', { parameters: { latency: '90s' } }, 'g');
  expect(bed.at(2).waits('/api/v1/namespaces/default/pods')).toBe(false);
  expect(bed.request('/api/v1/namespaces/default/pods')).toMatchObject({
    status: 504,
    body: expect.stringContaining('allotted timeout'),
  });
});
