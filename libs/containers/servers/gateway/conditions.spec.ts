import { expect, test } from '@jest/globals';
import { says, settle } from './conditions.js';

const fine = says('Accepted', 'True', 'Accepted', 'yes');
const bad = says('Accepted', 'False', 'Invalid', 'no');
const BEFORE = '2026-01-01T00:00:00Z';
const NOW = Date.parse('2026-01-02T00:00:00Z');

test.each([
  ['the later one of a type counts', [fine, bad], undefined, 'False', '2026-01-02T00:00:00Z'],
  ['what was so keeps its time', [fine], { ...fine, lastTransitionTime: BEFORE }, 'True', BEFORE],
  ['what is another has a new one', [bad], { ...fine, lastTransitionTime: BEFORE }, 'False', '2026-01-02T00:00:00Z'],
])('%s', (_case, said, before, status, lastTransitionTime) => {
  expect(settle(said, before && [before], 2, NOW)).toEqual([
    { ...said.at(-1)!, status, lastTransitionTime, observedGeneration: 2 },
  ]);
});
