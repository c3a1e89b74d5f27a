import { expect, test } from '@jest/globals';
import { LabSpec } from './lab-file.js';
import { placeOf } from './place.js';

const spec = LabSpec.parse({
  title: 'One',
  checks: [{ name: 'kept', spec: {} }],
  steps: [
    { title: 'Do', verify: 'true' },
    { title: 'Read' },
    { title: 'Both', name: 'both', verify: 'true', checks: ['kept'] },
  ],
});
const check = (phase: string) => [{ name: 'kept', phase, score: 0, points: 1, message: '' }];

test.each<[string[], string, object]>([
  [[], 'Pending', { step: 1, done: [] }],
  [['step-1'], 'Pending', { step: 2, done: ['step-1'] }],
  [['both'], 'Passed', { step: 1, done: ['step-2', 'both'] }],
  [['step-1', 'both'], 'Failed', { step: 2, done: ['step-1'] }],
  [['step-1', 'both'], 'Passed', { step: 4, done: ['step-1', 'step-2', 'both'] }],
])('%j verified, the check %s: %j', (verified, phase, place) =>
  expect(placeOf(spec, new Set(verified), check(phase))).toEqual({ steps: 3, ...place }),
);
