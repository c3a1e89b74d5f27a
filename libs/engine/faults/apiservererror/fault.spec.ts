import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test.each([
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
])('%d %s, which clients put into words', (code, text) => {
  const bed = new FaultBed();
  bed.fault('APIServerError', { target: { resources: ['pods'] }, parameters: { code }, duration: '1m' });
  const answer = bed.at(1).request('/api/v1/namespaces/default/pods');
  expect(answer.status).toBe(code);
  expect(answer.body).toBe(`${text}\n`);
  expect(bed.request('/api/v1/nodes').status).toBe(200);
  expect(bed.request('/apis/terrarium.dev/v1alpha1/faults').status).toBe(200);
  expect(bed.at(61).request('/api/v1/namespaces/default/pods').status).toBe(200);
});

test('of half of the requests', () => {
  const bed = new FaultBed();
  bed.fault('APIServerError', { parameters: { percent: 50 }, seed: 1 });
  const codes = Array.from(
    { length: 40 },
    (_, i) => bed.at(1 + i / 10).request('/api/v1/namespaces/default/pods').status,
  );
  expect(new Set(codes)).toEqual(new Set([200, 500]));
});
